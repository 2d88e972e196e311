import type { Dialect } from "../../../../shared/tables/dialects/dialect.ts";
import { pick, type Random } from "../inspection/generated.ts";

export interface Table {
  names: string[];
  rows: string[][];
}

const WORDS = [
  "Kiel",
  "São Paulo",
  "müde",
  "a b",
  "x",
  "Straße",
  "NA",
  "item",
  "no",
  "élan",
  "long one here",
  "Ålesund",
];
const HARD = [
  'say "hi"',
  "a,b",
  "p;q",
  "c|d",
  "t\tu",
  "two\nlines",
  "it's",
  "back\\slash",
  "# no comment",
  " led",
  '5" pipe',
];

type Make = (chance: Random, row: number) => string;
const KINDS: readonly Make[] = [
  (chance) => pick(chance, WORDS),
  (chance) => pick(chance, chance() < 0.3 ? HARD : WORDS),
  (chance) => String(Math.floor(chance() * 5_000)),
  (chance) =>
    `${chance() < 0.2 ? "-" : ""}${Math.floor(chance() * 90_000)}.${Math.floor(chance() * 90) + 10}`,
  (chance) => `2026-0${1 + Math.floor(chance() * 9)}-1${Math.floor(chance() * 10)}`,
  (chance) => (chance() < 0.5 ? "" : pick(chance, WORDS)),
  (_, row) => `id${row}`,
];

export function makeTable(chance: Random, least = 1): Table {
  const width = least + Math.floor(chance() * 6);
  const makers = Array.from({ length: width }, () => pick(chance, KINDS));
  const names = makers.map(
    (_, at) => `${pick(chance, ["name", "Größe", "value", "day", "the place"])} ${at}`,
  );
  const rows = Array.from({ length: 1 + Math.floor(chance() * 12) }, (_, row) =>
    makers.map((make) => make(chance, row)),
  );
  return { names, rows };
}

/** The canonical bytes by this test's own hand. */
export function writeCanonical({ names, rows }: Table): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.split('"').join('""')}"` : text);
  const line = (cells: string[]) =>
    cells.length === 1 && cells[0] === "" ? '""' : cells.map(cell).join(",");
  return [names, ...rows].map((cells) => `${line(cells)}\r\n`).join("");
}

/** A file in a dialect, and what it should be read as. */
export interface Written {
  dialect: Dialect;
  lineEnd: string;
  lines: string[];
  encode(text: string): Buffer;
  table: Table;
  /** The table where nobody rewrites its numbers. */
  asWritten: Table;
}

const encoders: [Dialect["encoding"], (text: string) => Buffer][] = [
  [undefined, (text) => Buffer.from(text)],
  [undefined, (text) => Buffer.from(`\ufeff${text}`)],
  ["windows-1252", (text) => Buffer.from(text, "latin1")],
  ["iso-8859-1", (text) => Buffer.from(text, "latin1")],
  ["utf-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["utf-16be", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
];

/** Writes a table in a dialect of chance; `isPlain` ones are those that a plan may find. */
export function writeDialect(chance: Random, canonical: Table, isPlain: boolean): Written {
  const [encoding, encode] = pick(chance, encoders);
  const shape = chooseShape(chance, isPlain);
  const { delimiter, quoteChar, escapeChar, lineEnd, skipInitialSpace, commentChar, groupChar } = shape;
  const isMarked = canonical.names.map((_, at) => {
    const cells = canonical.rows.map((row) => row[at] ?? "").filter((cell) => cell !== "");
    return shape.hasMarks && cells.length > 0 && cells.every((cell) => /^-?\d+\.\d+$/.test(cell));
  });
  const rows = canonical.rows.map((row) =>
    row.map((cell, at) => (isMarked[at] && cell !== "" ? markNumber(cell, groupChar) : cell)),
  );
  const join = skipInitialSpace ? `${delimiter} ` : delimiter;
  const line = (cells: string[]) =>
    cells.map((text, at) => writeCell(chance, shape, text, cells.length === 1 ? -1 : at)).join(join);
  const isUnnamed = chance() < 0.25 && (!isPlain || showsData(canonical));
  const titles =
    !isUnnamed && chance() < 0.25 ? pick(chance, [["Report"], ["Report 2026", ""], ["A", "B"]]) : [];
  const hasNumbers = isMarked.includes(true);
  const named: Dialect = {
    delimiter,
    ...(quoteChar === "'" && { quoteChar }),
    ...(escapeChar && { escapeChar }),
    ...(lineEnd === "\r" && { lineTerminator: lineEnd }),
    ...(skipInitialSpace && { skipInitialSpace }),
    ...(isUnnamed && { header: false }),
    ...(titles.length > 0 && { headerRows: [titles.length + 1] }),
    ...(commentChar && { commentChar }),
    ...(encoding && { encoding }),
    ...(hasNumbers && { decimalChar: "," }),
    ...(hasNumbers && groupChar && { groupChar }),
  };
  const names = isUnnamed ? canonical.names.map((_, at) => `column_${at + 1}`) : canonical.names;
  return {
    ...{ dialect: named, lineEnd, encode },
    lines: [...titles, ...(isUnnamed ? [] : [line(canonical.names)]), ...rows.map(line)],
    table: { names, rows: canonical.rows },
    asWritten: { names, rows },
  };
}

/** Texts alone tell nobody whether a row is data. */
function showsData({ names, rows }: Table): boolean {
  return rows.length > 1 && names.some((_, at) => rows.every((row) => /^-?\d[\d.-]+$/.test(row[at] ?? "")));
}

function chooseShape(chance: Random, isPlain: boolean) {
  const delimiter = pick(
    chance,
    isPlain ? [";", "\t", "|", ","] : [";", "\t", "|", ",", ":", "^", "~", "\u0001", " "],
  );
  const hasMarks = delimiter !== "," && chance() < 0.5;
  return {
    ...{ delimiter, hasMarks },
    quoteChar: isPlain || chance() < 0.6 ? ('"' as const) : ("'" as const),
    escapeChar: !isPlain && chance() < 0.4 ? ("\\" as const) : undefined,
    lineEnd: pick(chance, ["\n", "\r\n", "\r\n", "\r"]),
    skipInitialSpace: delimiter !== " " && chance() < 0.2,
    commentChar: !isPlain && chance() < 0.3 ? "#" : undefined,
    groupChar: hasMarks && chance() < 0.4 ? pick(chance, [".", "'", "\u00a0"] as const) : undefined,
  };
}

function markNumber(text: string, groupChar: string | undefined): string {
  const [whole = "", part = ""] = text.split(".");
  return `${groupChar === undefined ? whole : whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, groupChar)},${part}`;
}

/** `at` is the place of the cell in its row, or -1 where it stands alone. */
function writeCell(chance: Random, shape: ReturnType<typeof chooseShape>, text: string, at: number): string {
  const { delimiter, quoteChar, escapeChar, commentChar, skipInitialSpace } = shape;
  const special = [delimiter, quoteChar, "\r", "\n", ...(escapeChar ? [escapeChar] : [])];
  const isComment = at <= 0 && commentChar !== undefined && text.startsWith(commentChar);
  const isLed = skipInitialSpace && at > 0 && text.startsWith(" ");
  const isBlank = at === -1 && text === "";
  const needsQuotes = special.some((one) => text.includes(one)) || isComment || isLed || isBlank;
  if (!needsQuotes && chance() < 0.9) return text;
  const inner = escapeChar
    ? text.replace(/[\\"']/g, (one) => (one === "\\" || one === quoteChar ? `\\${one}` : one))
    : text.split(quoteChar).join(quoteChar + quoteChar);
  return `${quoteChar}${inner}${quoteChar}`;
}
