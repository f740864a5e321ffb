#!/usr/bin/env node
// Pictures of a page, to look at: shots.js PAGE.html FOLDER
"use strict";
const path = require("path");
const { open } = require("./browser");

async function main(page, folder) {
  const browser = await open();
  for (const scheme of ["light", "dark"]) {
    for (const width of [1280, 400]) {
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      await tab.goto("file://" + path.resolve(page));
      await tab.screenshot({ path: path.join(folder, `${scheme}-${width}.png`), fullPage: true });
      await tab.close();
    }
  }
  await browser.close();
}

main(process.argv[2], process.argv[3]);
