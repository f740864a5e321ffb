// The browser of the machine, without a window.
"use strict";
const fs = require("fs");

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function find() {
  return process.env.SHOAL_CHROMIUM || PLACES.find((place) => fs.existsSync(place));
}

// root may not use the sandbox, and nothing but our own page is opened.
async function open() {
  const { chromium } = require("playwright-core");
  const args = process.getuid() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: find(), args });
}

module.exports = { find, open };
