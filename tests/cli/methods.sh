shoal methods mondrian
shoal methods anatomy
shoal methods bucketize | head -12
shoal methods --json | python3 -c 'import json, sys; print(*[m["name"] for m in json.load(sys.stdin)], sep="\n")' > json
shoal methods | grep '^[a-z]' | diff json - && echo same
shoal methods --json anatomy | python3 -m json.tool | head -30
shoal methods mondriaan
