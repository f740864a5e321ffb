shoal --version
