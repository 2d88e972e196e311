import { existsSync, readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/text/markdown/render.ts";
import {
  connectAgent,
  connectAuthor,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "../../support/agent.ts";
import { openBrowsedSite } from "../../support/browsed-site.ts";
import { some } from "../../support/depth.ts";
import { SCRIPT_PAYLOADS } from "../../support/script-payloads.ts";
import { isBrowserHere } from "../../support/test-browser.ts";
import {
  asCode,
  asLink,
  asText,
  clean,
  flat,
  isAccepted,
  packBodies,
  writeCharts,
  writeFlowcharts,
} from "./script-texts.ts";

const { service, site, browser } = await openBrowsedSite();

const PAYLOADS = [...SCRIPT_PAYLOADS, ...some(readCorpus(), 48)];
const TITLES = 12;
const SEARCH = `/search?q=${encodeURIComponent(SCRIPT_PAYLOADS[6] ?? "")}`;

function readCorpus(): string[] {
  const file = new URL("../../../../shared/corpora/xss.json", import.meta.url);
  if (existsSync(file)) {
    const { payloads } = JSON.parse(readFileSync(file, "utf8")) as { payloads: { payload: string }[] };
    return payloads.map(({ payload }) => payload);
  }
  console.warn("Only our own scripts are tried: the corpus xss.json is not beside the project.");
  return [];
}

/** Everything that a script could do, noted before any of it can run. */
const WATCH = `
window.ran = [];
for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = (...words) => { window.ran.push(name + " " + words.join(" ").slice(0, 80)) };
document.addEventListener("securitypolicyviolation", (event) => window.ran.push("violation " + event.violatedDirective + " " + event.blockedURI));
`;
// Events that payloads wait for are sent to every element; what a page must not hold is looked for in the tree, where
// the only pictures are those that the service draws.
const PROVOKE = `(async () => {
  const events = ["load", "error", "focus", "blur", "mouseover", "mouseenter", "pointerenter", "animationstart", "toggle", "begin", "wheel", "keydown"];
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const element of document.querySelectorAll("*")) for (const name of events) element.dispatchEvent(new Event(name));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const found = [...document.querySelectorAll("script:not([type='application/ld+json']),iframe,object,embed,base,img:not([src^='/art/']),image,video,audio,foreignObject,animate,set,use,math,template,meta[http-equiv]")].map(({ outerHTML }) => outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll("*")) for (const { name } of element.attributes) if (name.startsWith("on") || name === "srcdoc" || name === "style") found.push(element.tagName + " " + name);
  for (const { href, protocol } of document.querySelectorAll("a[href]")) if (!["http:", "https:", "mailto:"].includes(protocol)) found.push(href.slice(0, 120));
  return [...window.ran, ...found];
})()`;

describe.skipIf(!isBrowserHere)("scripts in texts", () => {
  const addresses: string[] = ["/", "/@tidewatch", "/@ebbwatch", SEARCH];

  beforeAll(async () => {
    const agent = await connectAgent(service, { handle: "tidewatch" });
    const [tagline, name] = SCRIPT_PAYLOADS.map((payload) => flat(payload));
    await publishFrontPage(agent, {
      tagline: tagline?.slice(0, 160),
      sections: [{ slug: "reports", name: name?.slice(0, 40) }],
      about_markdown: packBodies(PAYLOADS.slice(0, 40).map((payload) => asText(payload)))[0],
    });
    await publishBodies(agent);
    const other = await connectAuthor(service, { handle: "ebbwatch" });
    await publishTitles(other);
  });

  async function publishBodies(agent: TestAgent): Promise<void> {
    const raw = PAYLOADS.map(clean).filter((payload) => payload.trim() !== "" && isAccepted(payload));
    expect(raw.length).toBeGreaterThan(5);
    const bodies = [
      ...packBodies(raw),
      ...packBodies(PAYLOADS.map((payload) => asCode(clean(payload)))),
      ...packBodies(PAYLOADS.map(asText).filter((text) => text !== "" && isAccepted(text))),
      ...packBodies(PAYLOADS.slice(0, 300).map(asLink).filter(isAccepted)),
      ...writeCharts(PAYLOADS),
      ...writeFlowcharts(PAYLOADS),
    ];
    for (const [index, body_markdown] of bodies.entries()) {
      await publishOne(agent, { title: `Body ${index}`, body_markdown });
    }
  }

  /** By another agent, for each may publish so much in a day. */
  async function publishTitles(agent: TestAgent): Promise<void> {
    for (const payload of PAYLOADS.slice(0, TITLES)) {
      const title = flat(payload).slice(0, 150);
      const source = { title, url: "https://example.org/?q=%3Cscript%3E", note: flat(payload).slice(0, 300) };
      await publishOne(agent, { title, summary: title, body_markdown: asText(payload), sources: [source] });
    }
  }

  async function publishOne(agent: TestAgent, payload: object): Promise<void> {
    const creation = await publishNew(agent, { payload });
    addresses.push(`/@${agent.handle}/${creation.slug}`);
  }

  /** A page that notes what runs and what leaves the site. */
  async function openPage(
    bypassCSP: boolean,
  ): Promise<{ context: BrowserContext; page: Page; noticed: string[] }> {
    const context = await browser.newContext({ bypassCSP });
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    const noticed: string[] = [];
    page.on("dialog", (dialog) => {
      noticed.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", ({ message }) => noticed.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") noticed.push(message.text());
    });
    page.on("request", (made) => {
      if (!made.url().startsWith(site) && !made.url().startsWith("data:")) noticed.push(made.url());
    });
    return { context, page, noticed };
  }

  test.for(some([true, false], 2))(
    "run nowhere and fetch nothing, with the policy lifted: %s",
    { timeout: 240_000 },
    async (lifted) => {
      const { context, page, noticed } = await openPage(lifted);
      for (const address of addresses) {
        expect((await page.goto(`${site}${address}`))?.status()).toBe(200);
        const found = (await page.evaluate(PROVOKE)) as string[];
        expect({ address, found, noticed }).toEqual({ address, found: [], noticed: [] });
      }
      await context.close();
    },
  );

  test("are drawn as text in charts and flowcharts", async () => {
    const { context, page } = await openPage(false);
    let texts = "";
    for (const address of addresses.filter((one) => one.includes("/body-"))) {
      await page.goto(`${site}${address}`);
      texts += await page.evaluate(
        "[...document.querySelectorAll('figure')].map((one) => one.textContent).join(' ')",
      );
    }
    for (const payload of SCRIPT_PAYLOADS.filter((one) => one.length < 40 && !/["\n]/.test(one))) {
      expect(texts).toContain(flat(payload));
    }
    await context.close();
  });

  test("that validation refuses do nothing either where they are rendered", {
    timeout: 360_000,
  }, async () => {
    const { context, page, noticed } = await openPage(true);
    await page.goto(`${site}/`);
    noticed.length = 0;
    const rendered = PAYLOADS.map((payload) => `<div>${renderMarkdown(parseMarkdown(payload))}</div>`).join(
      "\n",
    );
    await page.setContent(`<!doctype html><meta charset="utf-8">${rendered}`);
    expect(await page.evaluate(PROVOKE)).toEqual([]);
    expect(noticed).toEqual([]);
    await context.close();
  });

  test("are noticed by this watch where a page does run them", { timeout: 360_000 }, async () => {
    const { context, page, noticed } = await openPage(true);
    await page.goto(`${site}/`);
    await page.setContent(
      `<img src="https://elsewhere.example/x.png" onerror="alert(1)"><b onmouseover="alert(2)">x</b><a href="javascript:alert(3)">y</a>`,
    );
    const found = (await page.evaluate(PROVOKE)) as string[];
    expect(found).toEqual(
      expect.arrayContaining(["alert 1", "alert 2", "javascript:alert(3)", "B onmouseover"]),
    );
    expect(noticed.join(" ")).toContain("https://elsewhere.example/x.png");
    await context.close();
  });
});
