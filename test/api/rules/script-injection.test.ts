import { existsSync, readFileSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { choosePort } from "../../../cli/embedded/port.ts";
import { findMarkdownProblems } from "../../../shared/core/markdown/find-problems.ts";
import { parseFlowchart } from "../../../shared/core/markdown/flowcharts/parse-flowchart.ts";
import { parseMarkdown } from "../../../shared/core/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/core/markdown/render.ts";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  type TestAgent,
} from "../../support/agent.ts";
import { findChromium } from "../../support/chromium.ts";
import { some } from "../../support/depth.ts";
import { SCRIPT_PAYLOADS } from "../../support/script-payloads.ts";
import { openService, type TestService } from "../../support/service.ts";

const executablePath = findChromium();
if (executablePath === null) console.warn("LEFT OUT: there is no Chromium here to run scripts in.");

const PAYLOADS = [...SCRIPT_PAYLOADS, ...some(readCorpus(), 8)];
const BODY_CHARACTERS = 95_000;
const ROWS_A_CHART = 250;
const NODES_A_FLOWCHART = 50;
const FLOWCHARTS_A_TEXT = 18;
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

/** What a text field takes: no control characters, and no lone surrogates. */
const clean = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, " ");
const flat = (text: string): string => clean(text).replace(/\s+/gu, " ").trim();
const isAccepted = (text: string): boolean => findMarkdownProblems(parseMarkdown(text)).length === 0;

/** Bodies of at most so many characters, out of pieces that are each acceptable. */
function packBodies(pieces: readonly string[]): string[] {
  const bodies: string[] = [];
  let body = "";
  for (const piece of pieces) {
    const longer = `${body}${piece}\n\n`;
    if (body !== "" && longer.length > BODY_CHARACTERS) bodies.push(body);
    body = body !== "" && longer.length > BODY_CHARACTERS ? `${piece}\n\n` : longer;
  }
  return [...bodies, body];
}

const asCode = (text: string): string => `${"~".repeat(30)}\n${text}\n${"~".repeat(30)}`;
const asText = (text: string): string => flat(text).replace(/[!-/:-@[-`{-~]/g, "\\$&");
const asLink = (text: string): string => `[${asText(text)}](https://example.org/ "${asText(text)}")`;

function writeCharts(): string[] {
  const charts: string[] = [];
  for (let from = 0; from < PAYLOADS.length; from += ROWS_A_CHART) {
    const values = PAYLOADS.slice(from, from + ROWS_A_CHART).map((payload, index) => ({
      x: clean(`${index} ${payload.slice(0, 160)}`),
      y: index,
      c: SCRIPT_PAYLOADS[index % 8] ?? "",
    }));
    const [title = "", name = ""] = [PAYLOADS[from], PAYLOADS[from + 1]].map((text) =>
      flat(text?.slice(0, 100) ?? ""),
    );
    const encoding = {
      x: { field: "x", type: "nominal", title: name },
      y: { field: "y", type: "quantitative", title: name },
      color: { field: "c", type: "nominal", title },
    };
    const chart = { mark: "bar", title, description: name, data: { values }, encoding };
    charts.push(`~~~chart\n${JSON.stringify(chart)}\n~~~`);
  }
  return packBodies(charts);
}

/** Flowcharts of as many labels as they take; a tag that is left open may reach into the next line and is left out. */
function writeFlowcharts(): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  for (const [index, payload] of PAYLOADS.entries()) {
    const label = flat(payload).replaceAll('"', "'");
    const longer = [...lines, `n${index}["${label}"]`, `n${index} -->|"${label}"| n${index}`];
    if (parseFlowchart(["flowchart TD", ...longer].join("\n")).ok) lines = longer;
    if (lines.length < 2 * NODES_A_FLOWCHART) continue;
    blocks.push(["~~~mermaid", "flowchart TD", ...lines, "~~~"].join("\n"));
    lines = [];
  }
  if (lines.length > 0) blocks.push(["~~~mermaid", "flowchart TD", ...lines, "~~~"].join("\n"));
  const bodies: string[] = [];
  for (let from = 0; from < blocks.length; from += FLOWCHARTS_A_TEXT) {
    bodies.push(blocks.slice(from, from + FLOWCHARTS_A_TEXT).join("\n\n"));
  }
  return bodies.flatMap((body) => (body.length > BODY_CHARACTERS ? packBodies(body.split("\n\n")) : [body]));
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

describe.skipIf(executablePath === null)("scripts in texts", () => {
  let service: TestService;
  let browser: Browser;
  let site: string;
  const addresses: string[] = ["/", "/@tidewatch", "/@ebbwatch", SEARCH];

  beforeAll(async () => {
    const port = await choosePort();
    site = `http://localhost:${port}`;
    service = await openService({ config: { siteUrl: site } });
    await service.app.listen({ port, host: "127.0.0.1" });
    browser = await chromium.launch({
      executablePath: executablePath ?? "",
      args: ["--no-sandbox", "--disable-gpu"],
    });
    const agent = await connectAgent(service, { handle: "tidewatch" });
    const [tagline, name] = SCRIPT_PAYLOADS.map((payload) => flat(payload));
    await publishFrontPage(agent, {
      tagline: tagline?.slice(0, 160),
      sections: [{ slug: "reports", name: name?.slice(0, 40) }],
      about_markdown: packBodies(PAYLOADS.slice(0, 40).map((payload) => asText(payload)))[0],
    });
    await publishBodies(agent);
    const other = await connectAgent(service, { handle: "ebbwatch" });
    await publishFrontPage(other, {});
    await publishTitles(other);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function publishBodies(agent: TestAgent): Promise<void> {
    const raw = PAYLOADS.map(clean).filter((payload) => payload.trim() !== "" && isAccepted(payload));
    expect(raw.length).toBeGreaterThan(5);
    const bodies = [
      ...packBodies(raw),
      ...packBodies(PAYLOADS.map((payload) => asCode(clean(payload)))),
      ...packBodies(PAYLOADS.map(asText).filter((text) => text !== "" && isAccepted(text))),
      ...packBodies(PAYLOADS.slice(0, 300).map(asLink).filter(isAccepted)),
      ...writeCharts(),
      ...writeFlowcharts(),
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
    const creation = await publish(agent, await makeCreation(agent, { payload }));
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

  test.for([false, true])(
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
    timeout: 120_000,
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

  test("are noticed by this watch where a page does run them", { timeout: 120_000 }, async () => {
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
