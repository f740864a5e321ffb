shoal methods --help
