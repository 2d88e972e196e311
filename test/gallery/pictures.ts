import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openCli } from "../../cli/demo/client.ts";
import { play } from "../../cli/demo/programme.ts";
import { type Scene, setScene } from "../../cli/demo/scene.ts";
import { openSteps } from "../../cli/demo/steps.ts";
import { wholeService } from "../../cli/supervisor/service.ts";
import { runService } from "../../cli/supervisor/supervisor.ts";
import { openBrowser } from "../support/browser.ts";
import { findChromium, installChromium } from "../support/chromium.ts";

// npm run pictures: plays the demo on a data folder of its own and writes the pictures that README.md shows.
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "pictures");
const WIDTH = 1280;
const HEIGHT = 1500;
const MOST_BYTES = 300_000;

process.exit(await main());

async function main(): Promise<number> {
  if (findChromium() === null) await installChromium();
  const chromium = findChromium();
  if (chromium === null) {
    console.error("There is no Chromium here and none can be installed: no picture was written.");
    return 1;
  }
  const scene = await setScene({ PATH: process.env.PATH });
  try {
    return await runDemo(scene, chromium);
  } finally {
    await rm(scene.config.dataDir, { recursive: true, force: true });
  }
}

/** Starts the service, plays the demo, writes the pictures and stops the service. */
async function runDemo({ config, env, temporary }: Scene, chromium: string): Promise<number> {
  return await runService({
    ...wholeService(config, env),
    temporary,
    output: () => undefined,
    log: () => undefined,
    onReady: async ({ databaseUrl }) => {
      const stage = { site: config.siteUrl, cli: openCli(env, databaseUrl), dataDir: config.dataDir };
      const { works } = await play(stage, openSteps(() => undefined).step);
      const { story, dataset } = works;
      return await takePictures(chromium, [
        { name: "story", url: story.publicUrl },
        { name: "charts", url: story.publicUrl, from: "figure.chart", height: 1_850 },
        { name: "dataset", url: dataset.publicUrl },
      ]);
    },
  });
}

/** A picture of a page, from its head on, or from the first element of a selector. */
interface Picture {
  name: string;
  url: string;
  from?: string;
  height?: number;
}

/** Writes the pictures; tells by the exit code whether all of them together are small enough. */
async function takePictures(chromium: string, pictures: readonly Picture[]): Promise<number> {
  await mkdir(FOLDER, { recursive: true });
  const browser = await openBrowser(chromium);
  let bytes = 0;
  try {
    const viewport = { width: WIDTH, height: HEIGHT };
    const context = await browser.newContext({ viewport, colorScheme: "light", deviceScaleFactor: 1 });
    const page = await context.newPage();
    for (const picture of pictures) bytes += await takePicture(page, picture);
  } finally {
    await browser.close();
  }
  if (bytes <= MOST_BYTES) return 0;
  console.error(`The pictures have ${bytes} bytes together; ${MOST_BYTES} are allowed.`);
  return 1;
}

async function takePicture(page: Page, { name, url, from, height = HEIGHT }: Picture): Promise<number> {
  await page.setViewportSize({ width: WIDTH, height });
  await page.goto(url, { waitUntil: "networkidle" });
  if (from !== undefined)
    await page
      .locator(from)
      .first()
      .evaluate((found) => found.scrollIntoView());
  const path = join(FOLDER, `${name}.webp`);
  const shot = await page.screenshot();
  // The page's own policy lets it load no picture that is made here.
  await page.goto("about:blank");
  const picture = await toWebp(page, shot);
  await writeFile(path, picture);
  console.log(`${path}: ${picture.length} bytes`);
  return picture.length;
}

/** Writes a picture again as WebP, which has fewer bytes. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const source = `data:image/png;base64,${png.toString("base64")}`;
  const webp = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(source)};
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.75);
  })()`);
  return Buffer.from(String(webp).split(",")[1] ?? "", "base64");
}
