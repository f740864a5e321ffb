shoal help verfy
