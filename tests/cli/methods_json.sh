shoal methods --json | python3 -m json.tool > /dev/null && echo valid
