shoal query --help
