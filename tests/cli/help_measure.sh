shoal measure --help
