import { join } from "node:path";
import { expect, test } from "vitest";
import { leastCpuMs } from "./support/growth.ts";
import { findPatterns, listPatterns } from "./support/patterns.ts";

const LESS_THAN_MS = 20;
/** Over more than half a million characters, a pattern that is linear takes longer. */
const LESS_THAN_NS_A_CHARACTER = 40;
const SHORT = 256;
/** As long as the longest text of a work; a body of JSON is longer, and what is linear over this is over that. */
const MOST_CHARACTERS = 100_000;

/** Files whose patterns see no longer texts than these. */
const SHORT_TEXTS: Readonly<Record<string, { characters: number; because: string }>> = {
  "cli/commands/log.ts": { characters: 2_048, because: "an address that an operator types" },
  "shared/care/archive/zip.ts": { characters: 500, because: "titles, and names of files" },
  "shared/care/doctor/redis.ts": { characters: 2_048, because: "REDIS_URL" },
  "shared/platform/config.ts": { characters: 2_048, because: "SITE_URL" },
  "shared/platform/files/s3.ts": { characters: 1_024, because: "the prefix of FILES_URL" },
  "shared/text/charts/figures.ts": { characters: 500, because: "the digits of one number" },
  "shared/text/theme/stylesheet.ts": { characters: 500, because: "our own rules" },
};

/** Writes a hostile text of so many characters. */
type Writer = (characters: number) => string;

const patterns = listPatterns(join(import.meta.dirname, ".."));

/** Patterns that a call makes out of texts, written as the call makes them. */
const MADE: Readonly<Record<string, string>> = {
  "api/mcp/resources.ts": "/^\\/docs\\/[\\w-]+\\.md$/",
  "api/http/hooks/errors.ts": "/^\\/api\\/v1\\/creations\\/[^/]+\\/revisions\\/[^/]+\\/?$/",
  "shared/requests/publishing.ts": "/\\.\\d{31}/",
  "shared/text/markdown/flowcharts/read-node.ts":
    "/(?![A-Za-z\\u{2c0}])[\\p{L}--[\\u{10000}-\\u{10ffff}]]/vy",
};

test("the scan finds regular expressions and no division", () => {
  const template = ["`x$", "{f(/e/g)} / $", "{{ a: 1 }.a / 2}`"].join("");
  const text = `const a = b / c / d; ${template}; g(1) / 2; // /no/\nreturn /[/]\\//u.test(h); new RegExp(x); "/no/"`;
  expect(findPatterns(text)).toEqual(["/e/g", "/[/]\\//u", "RegExp("]);
});

/** The files with regular expressions. */
const files = [...new Set(patterns.map(({ file }) => file))];

test("there are such files, and none is excepted that has no pattern", () => {
  expect(files.length).toBeGreaterThan(100);
  expect([...Object.keys(SHORT_TEXTS), ...Object.keys(MADE)].filter((file) => !files.includes(file))).toEqual(
    [],
  );
});

test.each(files)("the patterns of %s take no long time over a hostile text", (file) => {
  for (const { source } of patterns.filter((pattern) => pattern.file === file)) {
    // A pattern that is made of our own names has no text to look at here.
    const written = source === "RegExp(" ? MADE[file] : source;
    if (written === undefined) continue;
    expect([source, findSlow(written, SHORT_TEXTS[file]?.characters ?? MOST_CHARACTERS)]).toEqual([
      source,
      null,
    ]);
  }
});

/**
 * The hostile text that a pattern takes too long over, shortened, or null. The texts are tried short first; the worst
 * of them grows to the greatest length, for a pattern that goes wrong would need minutes for it.
 */
function findSlow(source: string, most: number): string | null {
  const pattern = readPattern(source);
  const shortMs = (write: Writer) => leastCpuMs(() => runWhole(pattern, write(Math.min(most, SHORT))), 0);
  const [worst] = writersFor(source)
    .map((write) => ({ write, ms: shortMs(write) }))
    .sort((one, other) => other.ms - one.ms);
  if (worst === undefined) return null;
  for (let characters = SHORT; ; characters *= 4) {
    const text = worst.write(Math.min(characters, most));
    const mostMs = Math.max(LESS_THAN_MS, (text.length * LESS_THAN_NS_A_CHARACTER) / 1e6);
    const ms = leastCpuMs(() => runWhole(pattern, text), mostMs);
    if (ms >= mostMs) return `${JSON.stringify(text.slice(0, 20))} to ${text.length}: ${ms} ms`;
    if (characters >= most) return null;
  }
}

function readPattern(source: string): RegExp {
  const end = source.lastIndexOf("/");
  return new RegExp(source.slice(1, end), source.slice(end + 1));
}

function runWhole(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, "");
  else pattern.test(text);
}

/** Writes one or two of a pattern's own characters again and again, alone and behind what it begins with. */
function writersFor(source: string): Writer[] {
  const letters = lettersOf(source);
  const units = [...letters, ...letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)];
  return units.flatMap((unit) =>
    ["", letters.slice(0, 1).join(""), letters.slice(0, 4).join("")].map((begin) => (characters: number) => {
      const times = Math.max(0, Math.floor((characters - begin.length - 1) / unit.length));
      return `${begin}${unit.repeat(times)}\u0001`;
    }),
  );
}

const CLASSES: Readonly<Record<string, string>> = {
  s: " ",
  S: "x",
  d: "1",
  D: "x",
  w: "a",
  W: " ",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** The characters that stand in a pattern, and one of each class. */
function lettersOf(source: string): string[] {
  const letters = new Set<string>();
  const body = source.slice(1, source.lastIndexOf("/"));
  const tokens = body.matchAll(
    /\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\x([\da-f]{2})|\\[pP]\{\w+=?(\w*)\}|\\(.)|([^\\])/gi,
  );
  for (const [, long, short, byte, property, escaped, plain] of tokens) {
    const code = long ?? short ?? byte;
    if (code !== undefined) letters.add(String.fromCodePoint(Number.parseInt(code, 16)));
    else if (property !== undefined) letters.add("é");
    else if (escaped !== undefined) letters.add(CLASSES[escaped] ?? escaped);
    else if (plain !== undefined && !"^$()?:|".includes(plain)) letters.add(plain === "." ? "x" : plain);
  }
  return [...letters].slice(0, 10);
}
