#!/usr/bin/env node
// The top of a report and the picture of a frontier, for documents: pictures.js PAGES FOLDER
"use strict";
const path = require("path");
const { open } = require("./browser");

async function main(pages, folder) {
  const browser = await open();
  const options = { viewport: { width: 1120, height: 900 }, colorScheme: "light" };
  const report = await browser.newPage(options);
  await report.goto("file://" + path.resolve(pages, "report.html"));
  const end = await report.$eval("#asked", (part) => part.getBoundingClientRect().top);
  await report.screenshot({ path: path.join(folder, "report.png"), fullPage: true, clip: { x: 0, y: 0, width: 1120, height: Math.floor(end) } });
  const frontier = await browser.newPage(options);
  await frontier.goto("file://" + path.resolve(pages, "frontier.html"));
  const picture = await frontier.$(".picture svg");
  await picture.screenshot({ path: path.join(folder, "frontier.png") });
  await browser.close();
}

main(process.argv[2], process.argv[3]);
