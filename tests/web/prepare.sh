# Playwright for what sources this, in $cache; the browser is the machine's. Where one of them cannot be had, `skip`
# is called with the reason. here: this folder.
cache=${SHOAL_WEB_CACHE:-$here/../../build/web}

command -v node > /dev/null || skip "no node; tools/setup.sh web installs it"
command -v npm > /dev/null || skip "no npm; tools/setup.sh web installs it"
node -e 'process.exit(require(process.argv[1] + "/browser.js").find() ? 0 : 1)' "$here" ||
    skip "no Chromium; tools/setup.sh web installs it"

# Installed once, and again when the lock file changes; two at a time wait for each other.
mkdir -p "$cache"
(
    flock 9
    if ! cmp -s "$here/package-lock.json" "$cache/installed"; then
        cp "$here/package.json" "$here/package-lock.json" "$cache"
        (cd "$cache" && npm ci --no-audit --no-fund --silent > npm.log 2>&1) || exit 1
        cp "$here/package-lock.json" "$cache/installed"
    fi
) 9> "$cache/lock" || skip "npm could not install Playwright; see $cache/npm.log"
