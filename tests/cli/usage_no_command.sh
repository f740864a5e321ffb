shoal
