import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createRandom } from "../shared/tables/inspection/generated.ts";

/** Writes a table of readings: ids, times, stations, readings of three decimals, words. */
export async function writeTable(path: string, bytes: number): Promise<number> {
  const random = createRandom(7);
  const out = createWriteStream(path, { highWaterMark: 4_194_304 });
  out.write("id,at,station,reading,flag,note\n");
  let [rows, written] = [0, 0];
  while (written < bytes) {
    const lines: string[] = [];
    for (let line = 0; line < 10_000; line++, rows++) {
      const at = new Date(1_577_836_800_000 + rows * 9_000).toISOString().slice(0, 19);
      const reading = (random() * 1_000).toFixed(3);
      lines.push(
        `${rows},${at}Z,S${rows % 997},${reading},${random() < 0.1},${random() < 0.2 ? "" : `word ${rows % 5_003}`}\n`,
      );
    }
    const text = lines.join("");
    written += text.length;
    if (!out.write(text)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
  }
  out.end();
  await finished(out);
  return rows;
}

const LINE = `${"x,".repeat(50_000)}\n`;
/** Files that are made to take memory: what is written again and again behind a beginning. */
export const HOSTILE: readonly [name: string, start: string, again: string][] = [
  ["one value of a gigabyte", "a,b\n", "x".repeat(100_000)],
  ["one row of a gigabyte", "a,b\n", LINE.trim()],
  ["a quote that never closes", 'a,b\n1,"', "x,y\n".repeat(25_000)],
  [
    "10,000 columns",
    `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(",")}\n`,
    `${"7,".repeat(9_999)}7\n`.repeat(5),
  ],
];

/** Writes a beginning, and so many bytes of the same behind it. */
export async function writeAgain(path: string, bytes: number, start: string, again: string): Promise<void> {
  const out = createWriteStream(path, { highWaterMark: 4_194_304 });
  out.write(start);
  for (let written = 0; written < bytes; written += again.length)
    if (!out.write(again)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
  out.end();
  await finished(out);
}
