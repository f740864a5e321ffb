shoal generate --help
