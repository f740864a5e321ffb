shoal hierarchy --help
