// The whole way and its side ways, in Chromium, against `shoal serve`.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { axe, launch, visit } from "./browser.mjs";
import { HOSTILE_NAME, hostile, messy } from "./files.mjs";
import { folder, generate, serve, shoal, stopAll } from "./program.mjs";
import { small } from "./small_png.mjs";

const PICTURES = process.env.SHOAL_PICTURES;
const LOOKS = process.env.SHOAL_LOOKS;
let browser;

before(async () => {
  browser = await launch();
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
});
after(async () => {
  await browser?.close();
  stopAll();
});

/** For docs/workbench.md: what is in sight, small. */
async function picture(page, name, options = {}) {
  if (PICTURES) writeFileSync(join(PICTURES, name + ".png"), small(await page.screenshot({ animations: "disabled", ...options })));
}

/** All widths and both schemes, to be looked at, into the folder SHOAL_LOOKS. */
async function looks(page, name) {
  if (!LOOKS) return;
  mkdirSync(LOOKS, { recursive: true });
  for (const width of [400, 1280, 2560]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(LOOKS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Wait until something is so in the page. Playwright's own way evaluates a text, which the policy of the page forbids. */
async function until(page, is) {
  for (let i = 0; !(await page.evaluate(is)); i++) {
    assert(i < 600, `waited for ${is}`);
    await page.waitForTimeout(100);
  }
}

/** What the program says, without the words about its own options. */
const said = (args) => shoal(args).stderr.replace(/ \(--[^)]*\)/g, "");

const step = (page, name) => page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name }).click();
const heading = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();
const go = async (page, name) => {
  await step(page, name);
  await heading(page, name);
};
const rows = (page) => page.locator("#original-0-0 bdi").waitFor();
const confirmAll = async (page) => {
  await go(page, "Columns");
  await page.getByRole("button", { name: "I have looked: they are right" }).click();
};
const openFile = async (page, name) => {
  await page.getByRole("button", { name }).click();
  await rows(page);
};
const chooseK = async (page, k) => {
  await go(page, "Privacy");
  await page.getByLabel(/look alike, as a number/).fill(String(k));
  await page.getByLabel(/look alike, as a number/).press("Enter");
};
const makeRelease = async (page) => {
  await go(page, "Release");
  await page.getByRole("button", { name: /Make the release/ }).click();
  await page.locator(".verdict").waitFor();
};
const downloadOf = async (page, name) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return readFileSync(await download.path());
};
const clean = async (page, wrong) => {
  assert.deepEqual(wrong, []);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
};

// By the mouse, with a second move over the target: browsers begin to drag at the first and tell where at the second.
async function drag(page, from, to) {
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await to.hover();
  await page.mouse.up();
}

test("without a token the page says where to find one, and nothing else", async () => {
  const server = await serve(folder());
  const { page, context, wrong } = await visit(browser, server.origin + "/");
  assert.match(await page.locator(".banner.bad").innerText(), /token/);
  assert.deepEqual(wrong, []);
  await context.close();
  await server.stop();
});

test("the whole way: a messy Latin-1 file with persons, dropped, corrected, released as the program does", async () => {
  const place = folder();
  const file = join(place, "besuche.csv");
  const records = messy(file);
  const server = await serve(place);
  const { page, context, wrong } = await visit(browser, server.address);
  assert.equal(await page.evaluate(() => location.hash), "#/data", "the token has left the address");
  await heading(page, "Data");
  assert.deepEqual(await axe(page), []);
  await picture(page, "workbench-start");

  // Sent as it is, the file cannot be read: its letters are no UTF-8. The message is the program's, at the place.
  await page.locator(".drop input[type=file]").setInputFiles(file);
  const mistake = page.locator(".mistakes li").first();
  await mistake.waitFor();
  const sentence = await mistake.locator("bdi").innerText();
  assert(said(["inspect", file]).includes(sentence), `the program's own sentence: ${sentence}`);
  assert.match(await mistake.innerText(), /line \d+/);
  assert.deepEqual(await axe(page), []);
  await page.getByRole("combobox", { name: /^Letters/ }).selectOption("latin1");
  await page.getByRole("button", { name: "Try it so" }).click();
  await rows(page);
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), String(records + 1));
  await page.getByRole("grid").evaluate((el) => (el.scrollLeft = el.scrollWidth));
  await page.getByRole("columnheader", { name: /Größe der Stadt/ }).waitFor();
  await page.getByRole("grid").evaluate((el) => (el.scrollLeft = 0));
  assert.deepEqual(await axe(page), []);
  await picture(page, "workbench-data");
  await looks(page, "data");

  // Columns: guesses are guesses, with reasons; nothing can be made of them before somebody looked.
  await go(page, "Columns");
  const role = (name) => page.getByLabel(`Could somebody know ${name}?`);
  assert.equal(await role("Patienten-Nr").inputValue(), "person");
  assert.equal(await role("ssn").inputValue(), "identifier");
  assert.equal(await role("Geburtsdatum").inputValue(), "quasi");
  assert.equal(await role("Diagnose").inputValue(), "sensitive");
  assert((await page.locator(".guess").count()) >= 8);
  await page.getByText(/of the records can be told from all others/).waitFor();
  await go(page, "Release");
  assert(await page.getByRole("button", { name: "Make the release" }).isDisabled());
  assert.match(await page.locator("#why-not").innerText(), /guess/);
  await go(page, "Columns");
  await picture(page, "workbench-columns");
  await looks(page, "columns");
  await page.setViewportSize({ width: 400, height: 760 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(() => scrollTo(0, 0));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, "nothing is wider than a narrow screen");
  await picture(page, "workbench-narrow");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  assert.deepEqual(await axe(page), []);

  // Several at once, one undone again, by keyboard.
  await page.getByLabel("select Gewicht").check();
  await page.getByLabel("select Größe der Stadt").check();
  await page.getByLabel("all of them are").selectOption("identifier");
  assert.equal(await role("Gewicht").inputValue(), "identifier");
  await page.keyboard.press("Control+z");
  assert.notEqual(await role("Gewicht").inputValue(), "identifier");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await role("Gewicht").inputValue(), "identifier");
  await page.getByRole("button", { name: "I have looked: they are right" }).click();
  assert.equal(await page.locator(".guess").count(), 0);

  // A hierarchy of one's own: wards A and B together, by the keyboard alone; then a value dragged.
  await page.getByRole("link", { name: "Station", exact: true }).click();
  const tree = page.getByRole("tree");
  await tree.waitFor();
  await tree.getByRole("treeitem").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  await page.getByLabel("Name", { exact: true }).fill("Nord");
  await page.getByRole("button", { name: "Put together" }).click();
  const nord = tree.locator('[data-label="Nord"]');
  await nord.waitFor();
  await drag(page, page.locator('.tree-row[data-label="C"]'), nord);
  await page.getByText("3 values").first().waitFor();
  await picture(page, "workbench-tree");
  await looks(page, "tree");
  assert.deepEqual(await axe(page), []);

  // Privacy: the number that matters starts empty; the slider goes in coarse steps.
  await go(page, "Privacy");
  const slider = page.locator("input#k");
  assert.equal(await slider.inputValue(), "0");
  assert.equal(await page.getByLabel(/look alike, as a number/).inputValue(), "");
  await slider.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.getByText("Everybody looks like at least 4 other people.").first().waitFor();
  await picture(page, "workbench-privacy");
  await looks(page, "privacy");
  assert.deepEqual(await axe(page), []);

  // A reload in the middle loses nothing: the place, the spec, the history.
  await page.reload();
  await heading(page, "Privacy");
  await page.getByText("Everybody looks like at least 4 other people.").first().waitFor();
  assert.equal(await page.locator("input#k").inputValue(), "3");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await until(page, () => document.querySelector("input#k").value === "0");
  assert.equal(await page.getByText("Everybody looks like").count(), 0);
  await page.getByRole("button", { name: /^Redo/ }).click();
  await page.getByText("Everybody looks like at least 4 other people.").first().waitFor();

  // The release, and the same from the command line: equal to the byte.
  await makeRelease(page);
  assert.match(await page.locator(".verdict").innerText(), /promise is kept/);
  assert.deepEqual(await axe(page), []);
  await picture(page, "workbench-release");
  await looks(page, "release");
  const release = await downloadOf(page, /\.release\.csv$/);
  const yaml = await downloadOf(page, /\.release\.yaml$/);
  writeFileSync(join(place, "again.yaml"), yaml);
  const run = shoal(["anonymize", file, "-o", join(place, "again.csv"), "--spec", join(place, "again.yaml"), "--quiet"]);
  assert.equal(run.status, 0, run.stderr);
  assert(release.equals(readFileSync(join(place, "again.csv"))), "the page's release is the program's");
  const text = release.toString("utf8");
  assert(text.includes("Nord"), "the tree was used");
  assert(!/@example\.org|H10\d\d\d\d/.test(text), "no identifier and no person is in it");
  assert.match((await downloadOf(page, /\.release\.html$/)).toString(), /<html/);

  // The report inside, in a frame without scripts.
  await page.getByRole("button", { name: "For the board" }).click();
  await page.frameLocator("iframe.frame").getByRole("heading").first().waitFor();

  // Written into the folder, once; a second time only when told so.
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await page.locator("code").filter({ hasText: /^[0-9a-f]{64}$/ }).first().waitFor();
  assert(readFileSync(join(place, "besuche.release.csv")).equals(release));
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await page.getByRole("button", { name: "Write over what is there" }).waitFor();

  // A later edit makes the result stale, with what changed; undone, it is fresh again.
  await chooseK(page, 8);
  await go(page, "Release");
  await page.locator(".banner.stale").waitFor();
  assert.match(await page.locator(".banner.stale").innerText(), /privacy k/);
  assert.equal(await page.getByRole("button", { name: /\.release\.csv$/ }).count(), 0, "a stale release cannot be taken away");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.getByRole("button", { name: /\.release\.csv$/ }).waitFor();
  assert.equal(await page.locator(".banner.stale").count(), 0);
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("a requirement that cannot be met is refused with what can, and nothing can be downloaded", async () => {
  const place = folder();
  generate(join(place, "people.csv"), 200);
  const server = await serve(join(place, "people.csv"));
  const { page, context, wrong } = await visit(browser, server.address);
  await rows(page);
  await confirmAll(page);
  await go(page, "Columns");
  await page.getByLabel("Could somebody know income?").selectOption("sensitive");
  await chooseK(page, 5);
  await page.getByRole("button", { name: "Spec" }).click();
  const editor = page.getByLabel("Spec as YAML");
  await until(page, () => document.querySelector("textarea")?.value.includes("k: 5"));
  await editor.fill((await editor.inputValue()).replace("k: 5", "k: few"));
  await page.getByRole("button", { name: "Take over" }).click();
  await page.locator(".drawer .mistakes li").first().waitFor();
  assert.match(await page.locator(".drawer .mistakes li").first().innerText(), /line \d+.*k is a whole number/);
  await picture(page, "workbench-spec");
  assert.deepEqual(await axe(page), []);
  await editor.fill((await editor.inputValue()).replace("k: few", "k: 5\n  l: 150"));
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByText(/1 in 150 share/).first().waitFor();
  // A spec that was kept is opened again, and can be undone as any change.
  writeFileSync(join(place, "kept.yaml"), "columns: {age: quasi, sex: quasi, income: sensitive}\nprivacy: {k: 7}\n");
  await page.getByLabel("Open a spec that was kept").setInputFiles(join(place, "kept.yaml"));
  await until(page, () => document.querySelector("textarea").value.includes("k: 7"));
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByText("at least 6 others").first().waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.getByText(/1 in 150 share/).first().waitFor();
  await page.getByRole("button", { name: "Close the drawer" }).click();
  await go(page, "Release");
  await page.getByRole("button", { name: "Make the release" }).click();
  await page.locator(".banner.bad").waitFor();
  assert.match(await page.locator(".banner.bad").innerText(), /cannot be met/i);
  assert.equal(await page.getByRole("button", { name: /\.csv$/ }).count(), 0);
  assert.deepEqual(await axe(page), []);
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("the frontier: points arrive, two releases side by side share one scroll, one is taken", async () => {
  const place = folder();
  generate(join(place, "people.csv"), 600);
  const server = await serve(join(place, "people.csv"));
  const { page, context, wrong } = await visit(browser, server.address);
  await rows(page);
  await confirmAll(page);
  await go(page, "Compare");
  await page.getByRole("button", { name: "Compare releases" }).click();
  await page.getByText("Recommended:").waitFor({ timeout: 60000 });
  const marks = page.locator(".frontier .mark.best");
  assert((await marks.count()) >= 3);
  const chart = page.getByRole("application");
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("p.told").innerText(), /by \S+: chance to be found/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByText("Loss per column").waitFor({ timeout: 60000 });
  const grids = page.locator(".triple .grid");
  await until(page, () => document.querySelectorAll(".triple .grid").length === 3);
  await until(page, () => [...document.querySelectorAll(".triple .grid")].every((g) => g.querySelector(".grid-cell bdi")));
  // The grids scroll together, and their rows are of the same records.
  await grids.nth(0).evaluate((el) => (el.scrollTop = 2800));
  await until(page, () => [...document.querySelectorAll(".triple .grid")].every((g) => Math.abs(g.scrollTop - 2800) < 3));
  const firstLine = (i) => grids.nth(i).locator(".grid-row .grid-number").first().innerText();
  await until(page, () => [...document.querySelectorAll(".triple .grid")].every((g) => g.querySelector(".grid-cell bdi")));
  assert.equal(await firstLine(0), await firstLine(1));
  assert.equal(await firstLine(0), await firstLine(2));
  assert.deepEqual(await axe(page), []);
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, "workbench-compare");
  await looks(page, "compare");
  // A reload keeps what was compared.
  await page.reload();
  await page.getByText("Recommended:").waitFor();
  await page.getByRole("button", { name: "Use this one" }).click();
  await heading(page, "Release");
  await page.getByRole("button", { name: /Make the release/ }).click();
  await page.locator(".verdict").waitFor();
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("a million records: few nodes, few fetches, the last row, arrow keys; a run is cancelled", async () => {
  const place = folder();
  generate(join(place, "million.csv"), 1_000_000);
  const server = await serve(join(place, "million.csv"));
  const { page, context, wrong } = await visit(browser, server.address);
  const asked = [];
  context.on("request", (r) => r.url().includes("/api/rows") && asked.push(r.url()));
  await page.locator("#original-0-0 bdi").waitFor({ timeout: 120000 });
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => e.duration))).observe({ entryTypes: ["longtask"] });
  });
  const grid = page.getByRole("grid");
  assert.equal(await grid.getAttribute("aria-rowcount"), "1000001");
  assert((await page.evaluate(() => document.querySelectorAll("*").length)) < 3000);
  // By wheel, by the bar, to the end.
  await grid.hover();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 300);
  for (const share of [0.25, 0.5, 0.75, 0.9]) {
    await grid.evaluate((el, s) => (el.scrollTop = s * el.scrollHeight), share);
    await until(page, () => document.querySelector(".grid-row .grid-cell bdi") && !document.querySelector(".grid-row .pending"));
  }
  await grid.evaluate((el) => (el.scrollTop = el.scrollHeight));
  await page.locator('[aria-rowindex="1000001"] .grid-cell bdi').first().waitFor();
  assert((await page.evaluate(() => document.querySelectorAll("*").length)) < 3000);
  assert(asked.length < 60, `${asked.length} windows were fetched`);
  assert(asked.every((url) => Number(new URL(url).searchParams.get("count")) <= 500));
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("PageDown");
  const active = await grid.getAttribute("aria-activedescendant");
  assert.match(active, /^original-\d+-0$/);
  await page.locator("#" + active).waitFor();
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute("role")), "grid");
  // No test depends on the clock: how long the longest task took is told, and measured where nothing else runs.
  console.log(`# longest task while scrolling: ${Math.round(await page.evaluate(() => Math.max(0, ...window.tasks)))} ms`);

  await confirmAll(page);
  await chooseK(page, 10);
  await go(page, "Release");
  await page.getByRole("button", { name: "Make the release" }).click();
  await page.locator("main progress").waitFor();
  await picture(page, "workbench-progress");
  await page.locator("main").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("It was cancelled; nothing was released.").waitFor();
  assert.equal(await page.locator("progress").count(), 0);
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("hostile names and cells are texts, everywhere", async () => {
  const place = folder();
  hostile(join(place, "hostile.csv"));
  const server = await serve(join(place, "hostile.csv"));
  const { page, context, wrong } = await visit(browser, server.address);
  await rows(page);
  assert.match(await page.locator("#original--1-0").innerText(), /<img src=x/);
  assert.match(await page.locator("#original-0-0").innerText(), /<script>/);
  assert((await page.locator("#original-3-1").innerText()).length < 300, "a cell of a megabyte is cut");
  await page.locator(".cut").first().waitFor();
  assert.equal(await page.locator("bdi img, bdi script, bdi svg").count(), 0);
  await go(page, "Columns");
  for (const name of [HOSTILE_NAME, "__proto__"]) await page.getByLabel(`Could somebody know ${name}?`).selectOption("quasi");
  await page.getByRole("link", { name: "__proto__", exact: true }).click();
  await page.getByRole("tree").waitFor();
  if (await page.getByRole("button", { name: "I have looked: they are right" }).count()) await page.getByRole("button", { name: "I have looked: they are right" }).click();
  assert.deepEqual(await axe(page), []);
  await chooseK(page, 3);
  await makeRelease(page);
  assert.deepEqual(await axe(page), []);
  await page.getByRole("button", { name: "Spec" }).click();
  await until(page, () => document.querySelector("textarea")?.value.includes("__proto__"));
  await page.getByRole("button", { name: "History" }).click();
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("two pages at once: neither loses its change silently", async () => {
  const place = folder();
  generate(join(place, "people.csv"), 100);
  const server = await serve(join(place, "people.csv"));
  const one = await visit(browser, server.address);
  await rows(one.page);
  const two = await visit(browser, server.address);
  await rows(two.page);
  await chooseK(one.page, 4);
  await one.page.getByText("at least 3 others").first().waitFor();
  await one.page.waitForTimeout(600);
  await chooseK(two.page, 7);
  await two.page.getByText("Another page has changed the spec meanwhile.").waitFor();
  await two.page.getByRole("button", { name: "Take theirs" }).click();
  await two.page.getByText("at least 3 others").first().waitFor();
  await two.page.getByRole("button", { name: /^Undo/ }).click();
  await two.page.getByText("at least 6 others").first().waitFor();
  await clean(one.page, one.wrong);
  await clean(two.page, two.wrong);
  await one.context.close();
  await two.context.close();
  await server.stop();
});

test("broken files are refused with the program's own sentence, and the next one opens", async () => {
  const place = folder();
  const bad = {
    "short.csv": "a,b,c\n1,2,3\n4,5\n",
    "twice.csv": "a,a\n1,2\n",
    "quote.csv": 'a,b\n"1,2\n',
    "empty.csv": "",
    "sheet.csv": "PK\u0003\u0004xl/workbook.xml",
  };
  for (const [name, text] of Object.entries(bad)) writeFileSync(join(place, name), text);
  writeFileSync(join(place, "good.csv"), "age,sex\n" + Array.from({ length: 20 }, (_, i) => `${20 + i},${"MF"[i % 2]}`).join("\n") + "\n");
  const server = await serve(place);
  const { page, context, wrong } = await visit(browser, server.address);
  for (const name of Object.keys(bad)) {
    await page.getByRole("button", { name, exact: true }).click();
    const shown = page.locator(".mistakes li bdi").first();
    await page.getByRole("heading", { name: `${name} could not be read` }).waitFor();
    const sentence = await shown.innerText();
    const own = said(["inspect", join(place, name)]);
    assert(sentence.length > 10 && own.includes(sentence), `${name}: ${sentence} / ${own}`);
  }
  assert.deepEqual(await axe(page), []);
  await page.getByRole("button", { name: "good.csv", exact: true }).click();
  await rows(page);
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("intervals by keyboard and by dragging; a hierarchy from a file, saved into the folder", async () => {
  const place = folder();
  generate(join(place, "people.csv"), 300);
  const server = await serve(join(place, "people.csv"));
  const { page, context, wrong } = await visit(browser, server.address);
  await rows(page);
  await go(page, "Columns");
  await page.getByRole("link", { name: "age", exact: true }).click();
  await page.getByLabel("How its values are grouped").selectOption("breaks");
  const handle = page.getByRole("slider", { name: "Break of age" }).first();
  await handle.waitFor();
  const value = async () => Number(await handle.getAttribute("aria-valuenow"));
  const was = await value();
  await handle.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await value(), was + 1);
  const box = await handle.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 5, { steps: 4 });
  await page.mouse.up();
  assert((await value()) > was + 1);
  await page.getByRole("tree").waitFor();
  await picture(page, "workbench-intervals");
  assert.deepEqual(await axe(page), []);
  await page.getByLabel(/Save the tree into the folder/).fill("age.csv");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/Saved as age.csv/).waitFor();
  assert.match(readFileSync(join(place, "age.csv"), "utf8"), /;\*\n/);
  // Loaded again for another look: every value is in it, so it is taken; a file that lacks values is refused with what lacks.
  copyFileSync(join(place, "age.csv"), join(place, "copy.csv"));
  await page.getByLabel(/Load groups from a file/).setInputFiles(join(place, "copy.csv"));
  await until(page, () => [...document.querySelectorAll("select")].some((s) => s.value === "own"));
  writeFileSync(join(place, "lacking.csv"), "20;young;*\n");
  await page.getByLabel(/Load groups from a file/).setInputFiles(join(place, "lacking.csv"));
  await page.locator(".detail .mistakes li").first().waitFor();
  await clean(page, wrong);
  await context.close();
  await server.stop();
});

test("the program gone: the page says so", async () => {
  const place = folder();
  generate(join(place, "people.csv"), 100);
  const server = await serve(join(place, "people.csv"));
  const { page, context } = await visit(browser, server.address);
  await rows(page);
  await server.stop();
  await chooseK(page, 4);
  await page.getByText(/does not answer/).waitFor();
  await context.close();
  assert(existsSync(join(place, "people.csv")));
});
