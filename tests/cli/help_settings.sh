# Every setting with its values, default, option and help.
shoal help settings
