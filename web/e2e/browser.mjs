// Chromium without a window. Every request that does not go to the program itself is remembered, and fails the tests.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");
const axeSource = require("axe-core").source;

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGS = [
  "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ...(process.getuid() === 0 ? ["--no-sandbox"] : []), // root may not use it, and nothing but our own page is opened
];

export async function launch() {
  const executablePath = process.env.SHOAL_CHROMIUM || PLACES.find((place) => existsSync(place));
  if (!executablePath) throw new Error("no Chromium; tools/setup.sh web installs it");
  return chromium.launch({ executablePath, args: ARGS });
}

/** A page of its own, with what went wrong in it: errors of scripts, what the policy blocked, requests to elsewhere. */
export async function visit(browser, address, options = {}) {
  const origin = new URL(address).origin;
  // The tools that tests use in the page (axe) are put in beside its own scripts; what the policy blocks is still reported.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (e) => wrong.push("error: " + e.message));
  page.on("console", (m) => {
    if (m.type() === "error" && !/status of 4\d\d|status of 5\d\d|ERR_CONNECTION/.test(m.text())) wrong.push("console: " + m.text());
  });
  context.on("request", (r) => {
    if (!r.url().startsWith(origin + "/") && !r.url().startsWith("data:") && !r.url().startsWith("about:")) wrong.push("request to elsewhere: " + r.url());
  });
  await page.goto(address);
  await page.waitForSelector("h1, .banner.bad");
  return { page, context, wrong, origin };
}

/** What axe finds, light and dark; empty: nothing. */
export async function axe(page) {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
    const violations = await page.evaluate(async () => {
      const result = await window.axe.run(document, { iframes: false });
      return result.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).slice(0, 3).join(" | ")}`);
    });
    found.push(...violations.map((v) => colorScheme + " " + v));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
