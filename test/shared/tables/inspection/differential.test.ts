import { describe, expect, it } from "vitest";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import type { FileFormat, Verdict } from "../../../../shared/tables/inspection/verdict.ts";
import { DEEP, MOST_DATA_BYTES, runs, some } from "../../../support/depth.ts";
import { CELLS, createRandom, makeCsv, mutate, type Random } from "./generated.ts";
import { makeJson } from "./generated-json.ts";
import { inspectByParsers } from "./oracle/inspect.ts";
import {
  type CorpusCase,
  contentOf,
  listDatasets,
  readCorpus,
  readDataset,
  streamBytes,
  streamOnce,
} from "./sources.ts";

// Other numbers for a longer or another walk: DIFFERENTIAL_FILES=100000 DIFFERENTIAL_SEED=7.
const FILES = Number(process.env.DIFFERENTIAL_FILES ?? runs(4_000));
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);
const BLOCK_SIZES = [undefined, undefined, 1, 2, 3, 5, 8, 13, 64];

/** The verdict without what the parsers know nothing of: the reading index, hints, and the cause and mend of a fault. */
function comparable(verdict: Verdict): Verdict {
  if (verdict.ok) return { ...verdict, hints: [], readingIndex: null };
  return { ...verdict, reason: verdict.reason.replace(/^(Row \d+(?: \(line \d+\))?[^.;]*[.;]).*$/s, "$1") };
}

async function expectOneVerdict(content: Buffer, format: FileFormat, at: number): Promise<boolean> {
  const blockBytes = BLOCK_SIZES[at % BLOCK_SIZES.length];
  const chunks = [1 + (at % 7), 3, 1 + (at % 11)];
  const sizes = content.length > 10_000 ? undefined : chunks;
  const ours = comparable(
    await inspectFile(streamOnce(content, sizes), format, { blockBytes, isNamed: true }),
  );
  const theirs = comparable(await inspectByParsers(streamBytes(content), format, blockBytes));
  expect(ours, `${format} file ${at}: ${JSON.stringify(content.toString("latin1", 0, 2_000))}`).toEqual(
    theirs,
  );
  return ours.ok;
}

interface CorpusFile {
  name: string;
  format: FileFormat;
  content: Buffer;
}

/** Every file of the outside world that is at hand. */
function corpusFiles(): CorpusFile[] {
  const csv = readCorpus<{ cases: CorpusCase[] }>("csv-edge.json")?.cases ?? [];
  const json = readCorpus<{ cases_suite: CorpusCase[]; cases_own: CorpusCase[] }>("json-cases.json");
  const cases = [...(json?.cases_suite ?? []), ...(json?.cases_own ?? [])];
  const inPackage = ["csv", "json"].flatMap((ending) =>
    listDatasets(ending, DEEP ? Number.POSITIVE_INFINITY : MOST_DATA_BYTES),
  );
  return [
    ...csv.map((one): CorpusFile => ({ name: one.name, format: "csv", content: contentOf(one) })),
    ...cases.map((one): CorpusFile => ({ name: one.name, format: "json", content: contentOf(one) })),
    ...some(cases).map(
      (one): CorpusFile => ({ name: `${one.name} under .csv`, format: "csv", content: contentOf(one) }),
    ),
    ...inPackage.flatMap((name): CorpusFile[] => {
      const content = readDataset(`data/${name}`);
      return content === null ? [] : [{ name, format: name.endsWith("csv") ? "csv" : "json", content }];
    }),
  ];
}

const row = (key: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"${key}${at}":1`).join(",")}}`;

// Faults at the border of a block, limits, and tokens longer than a block.
const LARGE: [what: string, make: () => string, format: FileFormat][] = [
  ["a record over many blocks", () => `a,b\n1,"${"x\n".repeat(200_000)}"\n2,3\n`, "csv"],
  ["a quote left open", () => `a,b\n1,2\n"${"x,\n".repeat(200_000)}`, "csv"],
  ["a ragged row far behind", () => `a,b\n${"1,2\n".repeat(100_000)}1\n`, "csv"],
  ["a NUL far behind", () => `a,b\n${"1,2\n".repeat(100_000)}1,\0\n`, "csv"],
  ["blank lines in one column", () => `a\n${"\n".repeat(100_000)}5\n\n`, "csv"],
  ["one key over and over", () => `[${`${row("k", 20)},\n`.repeat(5_000)}${row("k", 20)}]`, "json"],
  ["a column that comes late", () => `[${`${row("k", 5)},`.repeat(20_000)}${row("x", 5)}]`, "json"],
  ["a number that comes late", () => `[${`${row("k", 5)},`.repeat(20_000)}5]`, "json"],
  ["10,001 keys in an object", () => `[${row("k", 10_001)}]`, "json"],
  ["10,001 columns", () => `[${row("k", 6_000)},${row("x", 4_001)}]`, "json"],
  ["10,001 columns before a fault", () => `[${row("k", 6_000)},${row("x", 4_001)},}`, "json"],
  [
    "10,001 columns long before a fault",
    () => `[${row("k", 6_000)},${row("x", 4_001)},${" ".repeat(70_000)}}`,
    "json",
  ],
  ["names of over a million characters", () => `[${row("k".repeat(400), 3_000)}]`, "json"],
  ["a text of 1 MiB", () => `["${"é".repeat(524_288)}"]`, "json"],
  ["a text over 1 MiB", () => `\n["${"é".repeat(524_289)}"]`, "json"],
  ["a text over 1 MiB with a fault behind", () => `["${"x".repeat(1_048_580)}\n"]`, "json"],
  ["a key over 1 MiB", () => `{"${"x".repeat(1_048_577)}":1}`, "json"],
  ["a number over 1 MiB", () => `[\n1${"0".repeat(1_048_577)}]`, "json"],
  ["lines that are never cut", () => `[${'{"é":"日本語","b":[1,{"c":null}]},'.repeat(30_000)}]`, "json"],
  [
    "an object as a map",
    () => `{${Array.from({ length: 9_000 }, (_, at) => `"id${at}":{"n${at}":${at}}`).join(",")}}`,
    "json",
  ],
];

async function expectOneVerdictOnAll(format: FileFormat, make: (random: Random) => Buffer): Promise<number> {
  const random = createRandom(SEED);
  let accepted = 0;
  for (let at = 0; at < FILES; at++) {
    const sound = make(random);
    if (await expectOneVerdict(at % 2 === 0 ? sound : mutate(random, sound), format, at)) accepted++;
  }
  return accepted;
}

describe("the byte-level reader gives the verdict of the parsers", () => {
  it(`on ${FILES} generated CSV files, half of them damaged`, { timeout: 360_000 }, async () => {
    expect(await expectOneVerdictOnAll("csv", makeCsv)).toBeGreaterThan(FILES / 4);
  });

  it(`on ${FILES} generated JSON files, half of them damaged`, { timeout: 360_000 }, async () => {
    expect(await expectOneVerdictOnAll("json", makeJson)).toBeGreaterThan(FILES / 4);
  });

  it("on a column for each cell that stands at a border, with nothing else in it", async () => {
    const cells = CELLS.map((cell, at): [name: string, cell: string] => [`c${at}`, cell]);
    const rows = [0, 1].map((part) => cells.map((cell) => cell[part]).join(","));
    expect(await expectOneVerdict(Buffer.from(`${rows.join("\n")}\n`), "csv", 0)).toBe(true);
    const list = JSON.stringify([Object.fromEntries(cells)]);
    expect(await expectOneVerdict(Buffer.from(list), "json", 0)).toBe(true);
  });

  it.each([
    '[{"a":1,"b":2},{"a":1,}]',
    '[{"a":1},{"a":1},{"a":1,"a":2}]',
    '[{"a":1,"b":2},{"a":1,"b":2},{"b":1,"a":2,"b":3}]',
    '[{"a":1},{"a":tru},{"a":1}]',
    '[{"a":1},{"a":1},{"a":01}]',
    '[{"a":"x"},{"a":"x"},{"a":"2026-01-31"},{"a":"\\u0032026-01-31"}]',
    '[{"a":null},{"a":null},{"a":"",},{"a":1}]',
  ])("on %s", async (text) => {
    for (let blockBytes = 1; blockBytes < 20; blockBytes++)
      await expectOneVerdict(Buffer.from(text), "json", blockBytes);
  });

  it.each(corpusFiles())("on $name", async ({ content, format }) => {
    await expectOneVerdict(content, format, 0);
  });

  it.each(LARGE)("on a large file with %s", { timeout: 120_000 }, async (_what, make, format) => {
    await expectOneVerdict(Buffer.from(make()), format, 0);
  });
});
