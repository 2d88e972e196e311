import { readdirSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { openBundledFonts, renderPng } from "../../../../shared/platform/threads/picture-thread.ts";
import { PNG_WIDTH_PX } from "../../../../shared/reading/charts/chart-files.ts";
import { drawChartFile } from "../../../../shared/text/charts/draw-chart-file.ts";
import { readChart } from "../../../../shared/text/drawing/draw-block.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { DEEP } from "../../../support/depth.ts";
import { isBrowserHere, openTestBrowser } from "../../../support/test-browser.ts";
import { CREDIT } from "../../text/charts/check-drawing.ts";

function draw(source: string): string {
  const chart = readChart({ source });
  if (chart === null) throw new Error("the block is no chart");
  return drawChartFile(chart, CREDIT);
}

const bars = (labels: readonly string[], title = "Heights") =>
  JSON.stringify({
    ...{ mark: "bar", title },
    data: { values: labels.map((label, index) => ({ label, y: index + 1 })) },
    encoding: { x: { field: "label", type: "nominal" }, y: { field: "y", type: "quantitative" } },
  });

interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  pixels: Uint8Array;
}

/** Reads a PNG of eight bits a channel without interlacing (PNG, sections 7 and 9). */
function readPng(png: Uint8Array): Picture {
  const view = Buffer.from(png);
  const [width, height, channels] = [view.readUInt32BE(16), view.readUInt32BE(20), view[25] === 6 ? 4 : 3];
  const parts: Buffer[] = [];
  for (let at = 8; at < view.length; at += 12 + view.readUInt32BE(at)) {
    if (view.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(view.subarray(at + 8, at + 8 + view.readUInt32BE(at)));
  }
  const packed = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) unfilter(packed, lines, { y, stride, channels });
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++)
    for (let channel = 0; channel < channels; channel++)
      pixels[at * 4 + channel] = lines[at * channels + channel] ?? 0;
  return { width, height, pixels };
}

function unfilter(
  packed: Uint8Array,
  lines: Uint8Array,
  { y, stride, channels }: { y: number; stride: number; channels: number },
): void {
  const filter = packed[y * (stride + 1)];
  for (let x = 0; x < stride; x++) {
    const at = y * stride + x;
    const left = x >= channels ? (lines[at - channels] ?? 0) : 0;
    const up = y > 0 ? (lines[at - stride] ?? 0) : 0;
    const corner = x >= channels && y > 0 ? (lines[at - stride - channels] ?? 0) : 0;
    lines[at] = (packed[y * (stride + 1) + 1 + x] ?? 0) + foretell(filter, left, up, corner);
  }
}

function foretell(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const a = Math.abs(guess - left);
  const b = Math.abs(guess - up);
  const c = Math.abs(guess - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The share of pixels whose colour differs by more than a step that eyes see. */
function compare(one: Picture, other: Picture): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  let different = 0;
  for (let at = 0; at < one.pixels.length; at += 4) {
    const step = (it: number) => Math.abs((one.pixels[at + it] ?? 0) - (other.pixels[at + it] ?? 0));
    if (step(0) > 48 || step(1) > 48 || step(2) > 48) different++;
  }
  return different / (one.width * one.height);
}

/** The number of dark pixels. */
function countInk({ pixels }: Picture): number {
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) ink++;
  return ink;
}

describe("the PNG of a chart", () => {
  test("is as wide as promised, and leaves no fonts behind", async () => {
    // Other processes of the run draw pictures, too.
    const folder = await openFolder();
    vi.stubEnv("TMPDIR", folder);
    const png = renderPng(draw(bars(["Bremen", "Łódź", "Αθήνα"])), PNG_WIDTH_PX);
    vi.unstubAllEnvs();
    expect([readPng(png).width, readdirSync(folder)]).toEqual([PNG_WIDTH_PX, []]);
  });

  const inkOf = (title: string) => countInk(readPng(renderPng(draw(bars(["a"], title)), PNG_WIDTH_PX)));
  const inkOfNone = inkOf(".");
  test.each([
    ["Latin", "Bremen"],
    ["Latin of two files", "Łódź"],
    ["Vietnamese", "Việt Nam"],
    ["Greek", "Αθήνα"],
    ["Cyrillic", "Москва"],
    ["three scripts at once", "aЖω"],
    ["none of its letters, as boxes", "日本"],
  ])("sets words in %s", (_, label) => {
    expect(inkOf(label) - inkOfNone).toBeGreaterThan(60);
  });

  test("has letters for the scripts that the documentation names", () => {
    const covered = new Set(openBundledFonts().flatMap(({ advances }) => [...advances.of.keys()]));
    for (const letter of "Aßłőğžæøþ€–“αωЖяђѣệ")
      expect([letter, covered.has(letter.codePointAt(0) ?? 0)]).toEqual([letter, true]);
  });
});

const browser = await openTestBrowser();

describe.skipIf(!isBrowserHere)("beside the SVG in a browser", () => {
  const charts = DEEP ? GALLERY_CHARTS : GALLERY_CHARTS.slice(0, 2);
  test.each(charts.map(({ name, source }) => [name, source]))("%s looks the same", async (_, source) => {
    // Words are set in another face in a browser, and are tested above.
    const svg = draw(source).replace(/<text\b[\s\S]*?<\/text>/g, "");
    const png = readPng(renderPng(svg, PNG_WIDTH_PX));
    const page = await browser.newPage({ viewport: { width: png.width, height: png.height } });
    const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
    await page.setContent(
      `<body style="margin:0"><img src="${address}" style="display:block;width:${png.width}px;height:${png.height}px">`,
    );
    await page.waitForFunction("document.images[0].complete");
    const seen = readPng(await page.screenshot());
    await page.close();
    expect(compare(png, seen)).toBeLessThan(0.02);
  });

  test("another chart differs by more", () => {
    const [one, other] = [bars(["a", "b", "c"]), bars(["c", "b", "a"]).replace('"y":1', '"y":9')].map(
      (source) => readPng(renderPng(draw(source), PNG_WIDTH_PX)),
    );
    if (one === undefined || other === undefined) throw new Error("no pictures");
    expect(compare(one, other)).toBeGreaterThan(0.05);
  });
});
