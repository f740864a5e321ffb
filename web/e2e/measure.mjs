// How fluent the page is on a large file: node measure.mjs PROGRAM [RECORDS]
//
// Prints what docs/performance.md has: the time from the table being read to its first rows, the longest task of the page's thread while
// scrolling (by the clock, and in processor time, which does not depend on what else the machine does), nodes and fetches.
import { join } from "node:path";
import process from "node:process";

process.env.SHOAL_PROGRAM = process.argv[2];
const records = Number(process.argv[3] ?? 1_000_000);
const { launch, visit } = await import("./browser.mjs");
const { folder, generate, serve } = await import("./program.mjs");

const place = folder();
generate(join(place, "people.csv"), records);
const server = await serve(place);
const browser = await launch();
const { page, context } = await visit(browser, server.address);
const rows = [];
context.on("response", (r) => r.url().includes("/api/rows") && rows.push(Date.now()));
await page.getByRole("button", { name: "people.csv", exact: true }).click();
// The page asks for one row as soon as it hears that the table is read.
await page.locator("#early-0-0 bdi, #original-0-0 bdi").first().waitFor({ timeout: 300_000 });
const shown = Date.now();
const read = rows[0];
await page.locator("#original-0-0 bdi").waitFor({ timeout: 300_000 });

const devtools = await context.newCDPSession(page);
const events = [];
devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
await devtools.send("Tracing.start", { transferMode: "ReportEvents", categories: "toplevel,devtools.timeline,disabled-by-default-devtools.timeline" });
const grid = page.getByRole("grid");
await grid.hover();
for (let i = 0; i < 60; i++) {
  await page.mouse.wheel(0, 400);
  await page.waitForTimeout(16);
}
for (let share = 0; share <= 1; share += 0.02) {
  await grid.evaluate((el, s) => (el.scrollTop = s * el.scrollHeight), share);
  await page.waitForTimeout(16);
}
const ended = new Promise((done) => devtools.once("Tracing.tracingComplete", done));
await devtools.send("Tracing.end");
await ended;
const main = new Set(events.filter((e) => e.name === "FunctionCall").map((e) => `${e.pid}:${e.tid}`));
const tasks = events.filter((e) => /RunTask$/.test(e.name) && main.has(`${e.pid}:${e.tid}`));
const longest = (key) => Math.max(0, ...tasks.map((e) => e[key] ?? 0)) / 1000;
const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
console.log(JSON.stringify({
  records,
  rows_after_reading_ms: shown - read,
  longest_task_ms: longest("dur"),
  longest_task_cpu_ms: longest("tdur"),
  tasks: tasks.length,
  nodes,
  windows_fetched: rows.length,
}));
await browser.close();
await server.stop();
process.exit(0);
