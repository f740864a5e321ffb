shoal frontier --help
