shoal --help
