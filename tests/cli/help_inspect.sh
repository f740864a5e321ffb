shoal inspect --help
