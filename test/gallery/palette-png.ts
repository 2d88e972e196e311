import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

const COLORS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Writes a picture again with a palette of 256 colours: a page of text then needs half the bytes. */
export async function toPalettePng(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, base64 } = await readPixels(page, png);
  const rgba = Buffer.from(base64, "base64");
  const colors = Array.from({ length: width * height }, (_, pixel) => rgba.readUIntBE(pixel * 4, 3));
  const palette = choosePalette(colors);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (const [pixel, color] of colors.entries()) {
    const index = nearest.get(color) ?? findNearest(palette, color);
    nearest.set(color, index);
    // Each row begins with the number of its filter, 0: none.
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, colours from the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    writeChunk("IHDR", header),
    writeChunk("PLTE", Buffer.from(palette.flatMap(channelsOf))),
    writeChunk("IDAT", deflateSync(rows, { level: 9 })),
    writeChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The browser reads the picture: Node has no decoder of its own. */
async function readPixels(page: Page, png: Buffer) {
  const source = `data:image/png;base64,${png.toString("base64")}`;
  return (await page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(source)};
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width, height, base64: btoa(text) };
  })()`)) as { width: number; height: number; base64: string };
}

/** Takes, one after the other, the color that the palette so far shows worst: by its distance and by its pixels. */
function choosePalette(colors: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const open = [...counts].map(([color, count]) => ({ color, count, distance: 3 * 255 ** 2 }));
  const palette: number[] = [];
  while (palette.length < COLORS) {
    const worst = open.reduce((one, other) =>
      other.count * other.distance > one.count * one.distance ? other : one,
    );
    if (worst.distance === 0) break;
    palette.push(worst.color);
    for (const each of open) each.distance = Math.min(each.distance, measure(each.color, worst.color));
  }
  return palette;
}

function findNearest(palette: readonly number[], color: number): number {
  const distances = palette.map((known) => measure(known, color));
  return distances.indexOf(Math.min(...distances));
}

function measure(one: number, other: number): number {
  const [red, green, blue] = channelsOf(one);
  const [r, g, b] = channelsOf(other);
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
}

function channelsOf(color: number): [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function writeChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
