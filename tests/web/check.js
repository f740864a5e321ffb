// The pages of a folder, as check_pages.py and check_frontier.py --write leave them, in a browser: nothing is
// reported on the console, nothing is loaded, the figures are those of the JSON report, nothing is wider than a
// telephone or a sheet of paper, no label of a picture is cut or lies over another, headings are in order, pictures
// have names, what must stay together on paper can, and the dark scheme is dark, with enough contrast.
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { open } = require("./browser");

const folder = path.resolve(process.argv[2]);
const report = JSON.parse(fs.readFileSync(path.join(folder, "report.json"), "utf8"));

function figure(name) {
  return name.split(".").reduce((value, part) => value[part], report);
}

// What a person reads, as the number it stands for, by how it is rounded: the last digit shown, or a bound.
function agrees(text, value) {
  const shown = text.replace(/[,%\s\u00a0]/g, "").replace("−", "-");
  const expected = text.includes("%") ? 100 * value : value;
  if (shown.startsWith("under")) return expected > 0 && expected < Number(shown.slice(5));
  if (shown.startsWith("over")) return expected < 100 && expected > Number(shown.slice(4));
  const decimals = (shown.split(".")[1] || "").length;
  return shown !== "" && Math.abs(Number(shown) - expected) <= 0.5001 * 10 ** -decimals;
}

async function load(browser, name, options) {
  const page = await browser.newPage(options);
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { complaints.push("a dialog"); dialog.dismiss(); });
  page.on("request", (request) => {
    if (!request.url().startsWith("file://") && !request.url().startsWith("data:")) complaints.push(request.url());
  });
  await page.goto("file://" + path.join(folder, name));
  assert.deepStrictEqual(complaints, [], name);
  return page;
}

async function checkFigures(page, name) {
  const shown = await page.$$eval("data[data-figure]", (all) =>
    all.map((one) => ({ name: one.dataset.figure, value: one.value, text: one.innerText })));
  assert.ok(shown.length > 80, `${name}: ${shown.length} figures`);
  for (const { name: key, text } of shown) {
    assert.ok(agrees(text, figure(key)), `${name}: ${key} is shown as ${text}, in JSON ${figure(key)}`);
  }
}

// The labels of each picture: within it, and none over another. Letters have some air around them.
async function checkLabels(page, name) {
  const wrong = await page.$$eval("svg[role=img]", (pictures) => pictures.flatMap((picture) => {
    const frame = picture.getBoundingClientRect();
    const labels = [...picture.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    const cut = labels.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 ||
      box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(({ text }) => `${text} is cut`);
    const over = labels.flatMap((one, i) => labels.slice(i + 1).filter((other) =>
      Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 1 &&
      Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 4)
      .map((other) => `${one.text} lies over ${other.text}`));
    return [...cut, ...over];
  }));
  assert.deepStrictEqual(wrong, [], name);
}

// What programs that read pages aloud go by.
async function checkNames(page, name) {
  const wrong = await page.evaluate(() => {
    const found = [];
    const levels = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map((head) => Number(head.tagName[1]));
    if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1) found.push("not one h1, at first");
    levels.forEach((level, i) => { if (i > 0 && level > levels[i - 1] + 1) found.push(`h${level} behind h${levels[i - 1]}`); });
    for (const picture of document.querySelectorAll("svg")) {
      const title = picture.getAttribute("aria-label") || (picture.querySelector(":scope > title") || {}).textContent;
      if (picture.getAttribute("aria-hidden") !== "true" && !(title && title.trim())) found.push("a picture without a name");
    }
    for (const image of document.querySelectorAll("img")) if (!image.alt) found.push("an image without a text");
    for (const table of document.querySelectorAll("table")) {
      if (!table.caption || !table.caption.textContent.trim()) found.push("a table without a caption");
      if ([...table.querySelectorAll("th")].some((head) => !head.scope)) found.push("a head of a table without a scope");
    }
    for (const region of document.querySelectorAll("[tabindex]")) {
      if (region.tagName !== "PRE" && !region.getAttribute("aria-label")) found.push("a region without a name");
    }
    if (!document.title || !document.documentElement.lang || !document.querySelector("main")) found.push("no title, language or main");
    return found;
  });
  assert.deepStrictEqual(wrong, [], name);
}

// On paper: an A4 sheet within its margins is 680 wide and 986 high. What must not be divided says so, and is not
// larger than a sheet; nothing is wider, or the browser would print all of it smaller.
async function checkPaper(browser, name) {
  const page = await load(browser, name, { viewport: { width: 680, height: 986 } });
  await page.emulateMedia({ media: "print" });
  const wrong = await page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > 680) found.push(`${document.documentElement.scrollWidth} wide`);
    for (const part of document.querySelectorAll("figure,tr,.verdict,.tiles,#sign-off,.picture,.copy")) {
      const box = part.getBoundingClientRect();
      if (getComputedStyle(part).breakInside !== "avoid") found.push(`${part.tagName} ${part.className} may be divided`);
      if (box.height > 986 || box.right > 681) found.push(`${part.tagName} ${part.className} is larger than a sheet`);
    }
    for (const head of document.querySelectorAll("h2,h3,caption")) {
      if (getComputedStyle(head).breakAfter !== "avoid") found.push(`${head.textContent} may stand alone`);
    }
    const nav = document.querySelector("nav");
    if (nav && getComputedStyle(nav).display !== "none") found.push("links on paper");
    return found;
  });
  assert.deepStrictEqual(wrong, [], `${name} on paper`);
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20000, `${name}: prints as ${pdf.length} bytes`);
  await page.close();
}

async function checkLayout(page, name) {
  const width = await page.evaluate(() => ({ page: document.documentElement.scrollWidth, window: innerWidth }));
  assert.ok(width.page <= width.window, `${name}: ${width.page} wide in a window of ${width.window}`);
  const flat = await page.$$eval("svg.plot", (plots) =>
    plots.filter((plot) => plot.getBoundingClientRect().height < 20 || !plot.querySelector("title")).length);
  assert.strictEqual(flat, 0, `${name}: plots without height or title`);
  const outside = await page.$$eval("svg.plot", (plots) => plots.flatMap((plot) => {
    const box = plot.getBoundingClientRect();
    return [...plot.querySelectorAll("text, rect")].filter((part) => {
      const inner = part.getBoundingClientRect();
      return inner.right > box.right + 1 || inner.left < box.left - 1 || inner.bottom > box.bottom + 1;
    }).map((part) => part.textContent);
  }));
  assert.deepStrictEqual(outside, [], `${name}: parts outside their plot`);
}

// The contrast of every text with the nearest background behind it, as WCAG counts it.
async function checkContrast(page, name, scheme) {
  const worst = await page.evaluate(() => {
    const parse = (colour) => (colour.match(/[0-9.]+/g) || []).map(Number);
    const light = (colour) => {
      const [r, g, b] = colour.slice(0, 3).map((part) => {
        const share = part / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    let least = { ratio: 21, text: "", page: light(behind(document.body)) };
    for (const element of document.querySelectorAll("p,li,h1,h2,h3,th,td,dt,dd,a,caption,small,strong,code,pre,data,span,svg text,figcaption")) {
      const style = getComputedStyle(element);
      const front = light(parse(element instanceof SVGElement ? style.fill : style.color));
      const back = light(behind(element));
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      if (element.textContent.trim() && ratio < least.ratio) least = { ...least, ratio, text: element.textContent };
    }
    return least;
  });
  assert.ok(worst.ratio >= 4.5, `${name}, ${scheme}: contrast ${worst.ratio} of ${worst.text}`);
  assert.ok(scheme === "dark" ? worst.page < 0.05 : worst.page > 0.8, `${name}: not ${scheme}`);
}

async function main() {
  const browser = await open();
  try {
    for (const name of ["report.html", "external.html", "plain.html", "frontier.html"]) {
      for (const width of [1280, 400]) {
        for (const colorScheme of ["light", "dark"]) {
          const page = await load(browser, name, { viewport: { width, height: 900 }, colorScheme });
          await checkLayout(page, `${name} at ${width}`);
          await checkLabels(page, `${name} at ${width}`);
          await checkContrast(page, name, colorScheme);
          if (width === 1280 && colorScheme === "light") {
            await checkNames(page, name);
            if (name === "report.html" || name === "external.html") await checkFigures(page, name);
          }
          await page.close();
        }
      }
      await checkPaper(browser, name);
    }
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error.message || error);
  process.exit(1);
});
