import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { findChromium } from "../support/chromium.ts";
import { installPackages, MERMAID, type PublishedPackages } from "../support/published-packages.ts";

/** The drawing of a chart block by Vega-Lite and Vega, as SVG, for the same room as ours. */
export async function drawWithVega(source: string): Promise<string> {
  const { spec } = compile({ ...JSON.parse(source), width: 560, height: 280 } as TopLevelSpec);
  const view = new View(parse(spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Mermaid in one page of a real browser. */
export interface MermaidPage {
  /** The drawing of a flowchart as SVG. */
  draw(source: string): Promise<string>;
  close(): Promise<void>;
}

/** Installs Mermaid and opens it with dagre as its layout, in Chromium; throws where one of both is missing. */
export async function openMermaidPage(): Promise<MermaidPage> {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error("There is no Chromium here, and Mermaid draws only in a browser.");
  const installed = await installPackages([MERMAID]);
  if (installed === null) throw new Error("npm can install no Mermaid here.");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const close = async () => {
    await browser.close();
    await installed.remove();
  };
  try {
    return driveMermaid(await loadMermaid(browser, installed), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadMermaid(browser: Browser, { folder }: PublishedPackages): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent("<!doctype html><meta charset=utf-8><body>");
  await page.addScriptTag({ path: join(folder, "node_modules/mermaid/dist/mermaid.min.js") });
  await page.evaluate(
    "mermaid.initialize({ startOnLoad: false, layout: 'dagre', maxEdges: 500 }); window.drawn = 0",
  );
  return page;
}

const DRAW = "async (source) => (await mermaid.render('drawn' + window.drawn++, source)).svg";

function driveMermaid(page: Page, close: () => Promise<void>): MermaidPage {
  return {
    draw: async (source) => String(await page.evaluate(`(${DRAW})(${JSON.stringify(source)})`)),
    close,
  };
}
