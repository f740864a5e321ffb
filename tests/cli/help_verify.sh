shoal verify --help
