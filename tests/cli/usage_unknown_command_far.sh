shoal xyzzy
