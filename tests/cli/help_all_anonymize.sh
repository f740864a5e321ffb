# All options; --help has those that everybody needs, and says so.
shoal anonymize --help-all
