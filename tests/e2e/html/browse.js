// browse.js CHROMIUM FOLDER: what is seen of every page in the folder, as JSON on stdout.
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, folder] = process.argv.slice(2);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const addresses = (await readdir(folder)).filter(name => name.endsWith(".html")).sort();
const seen = {};
for (const name of addresses) seen[name.replace(".html", "")] = await look(pathToFileURL(`${folder}/${name}`).href);
await browser.close();
console.log(JSON.stringify(seen));

async function look(address) {
  const said = [];
  return {
    wide: await widths(address, said),
    axe: await audits(address),
    still: await within(address, said, { javaScriptEnabled: false }, withoutScript),
    print: await within(address, said, { javaScriptEnabled: false }, printed),
    live: await within(address, said, {}, withScript),
    keys: await within(address, said, {}, byKeyboard),
    said,
  };
}

async function within(address, said, options, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("request", request => request.url().split("#")[0] === address || said.push(`asks for ${request.url()}`));
  page.on("console", message => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", error => said.push(`error: ${error.message}`));
  await page.goto(address);
  const found = await act(page, address);
  await context.close();
  return found;
}

// Whatever sticks out of the page at a width, with everything open.
async function widths(address, said) {
  const found = {};
  for (const width of [320, 390, 1280]) {
    found[width] = await within(address, said, { viewport: { width, height: 900 } }, page => page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      const scrolls = element => element && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
      const out = [...document.querySelectorAll("body *")].filter(element => {
        const box = element.getBoundingClientRect();
        return box.right > innerWidth + 1 && box.width > 1 && !scrolls(element.parentElement);
      });
      const cut = [...document.querySelectorAll("h1, h2, h3, h4, p, li, dd, dt, label, code, bdi, span")].filter(element =>
        element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline" && !element.closest(".unseen"));
      return [
        ...(document.scrollingElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
        ...[...out, ...cut].map(element => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`),
      ];
    }));
  }
  return found;
}

// What a real checker of accessibility says: light and wide, dark and narrow.
async function audits(address) {
  const found = [];
  for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
    const options = { colorScheme, bypassCSP: true, viewport: { width, height: 900 } };
    found.push(...await within(address, [], options, async page => {
      await page.evaluate(() => document.querySelectorAll("details").forEach(fold => { fold.open = true; }));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
      return violations.flatMap(rule => rule.nodes.map(node => `${colorScheme} ${width}: ${rule.id}: ${node.html.slice(0, 120)}`));
    }));
  }
  return found;
}

async function shown(page) {
  return page.locator(".item").evaluateAll(items => items.filter(item => item.checkVisibility()).map(item => item.className.replace("item ", "")));
}

async function withoutScript(page) {
  const found = { search: await page.locator(".search").isVisible().catch(() => false) };
  for (const status of ["fail", "incomplete", "pass", "all"]) {
    const radio = page.locator(`#only-${status}`);
    if (await radio.count() && await radio.isEnabled()) {
      await radio.check();
      found[status] = await shown(page);
    }
  }
  return found;
}

// How many folded scenarios can be read on paper.
async function printed(page) {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const folded = page.locator("details:not([open]) .step");
  return {
    folded: await folded.count(),
    read: await folded.evaluateAll(steps => steps.filter(step => step.checkVisibility({ contentVisibilityAuto: true }) && step.getBoundingClientRect().height > 0).length),
    ground: await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
  };
}

async function withScript(page, address) {
  if (!await page.locator("#search").count()) return null;
  const found = { all: (await shown(page)).length };
  await page.fill("#search", "kept-only-here");
  found.word = await shown(page);
  found.told = await page.locator("#found").textContent();
  await page.fill("#search", "no such word");
  found.none = await shown(page);
  const target = page.locator("details:not([open]) .inside").last();
  if (await target.count()) {
    const id = await target.getAttribute("id");
    await page.goto(`${address}#${id}`);
    await page.waitForFunction(id => document.getElementById(id).closest("details").open, id, { timeout: 5000 });
    found.revealed = await page.locator(`#${id}`).isVisible();
    await page.click("#close");
    found.closed = await page.locator("details[open]").count();
    await page.click("#open");
    found.folded = await page.locator("details:not([open])").count();
  }
  return found;
}

// What the Tab key reaches first, and whether a scenario can be opened with a key.
async function byKeyboard(page) {
  await page.keyboard.press("Tab");
  const found = { first: await page.evaluate(() => document.activeElement.className) };
  const summary = page.locator("summary").last();
  if (await summary.count()) {
    const before = await page.locator("details").last().getAttribute("open");
    await summary.focus();
    await page.keyboard.press("Enter");
    found.toggled = before !== await page.locator("details").last().getAttribute("open");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    found.outline = await summary.evaluate(element => getComputedStyle(element).outlineStyle);
  }
  return found;
}
