shoal anonymize --help
