shoal methods
