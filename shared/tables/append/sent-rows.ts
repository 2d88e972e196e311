import { type Node, parseTree } from "jsonc-parser";
import { sha256 } from "../../ground/checksum.ts";
import { askWhetherMeant, shortenName } from "../../ground/nearest-name.ts";
import { compareUnits, findUnstorable } from "../../ground/text.ts";
import { listMembers, textOf } from "../inspection/json-text.ts";
import { quoteCsvText } from "../rows/text-rows.ts";
import type { CsvStart } from "./read-part.ts";

/** How many faults of rows are told. */
const MOST_FAULTS = 20;

/** The rows of a JSON body, and the start of the CSV file that they follow; null where they follow a list. */
export interface SentRowsTask {
  body: string;
  csv: CsvStart | null;
  /** Whether they follow lines of JSON. */
  asLines: boolean;
}

/** Rows as the bytes of a part, or what is wrong with them by field. */
export interface ReadRows {
  /** The same for the same rows, however they are spaced and their members are ordered. */
  sha256: string;
  part: string;
  faults: Record<string, string[]>;
}

/** Reads the list `rows` of an object that `JSON.parse` takes: of a CSV each names every column; a list takes them as sent. */
export function readSentRows({ body, csv, asLines }: SentRowsTask): ReadRows {
  // Of a repeated member the last counts, as everywhere.
  const list = listMembers(parseTree(body)).findLast(([name]) => name === "rows")?.[1];
  if (list === undefined) throw new Error("a body without rows came to be read");
  const hash = sha256(writeCanonical(list, body));
  if (asLines) return { sha256: hash, part: writeLines(list, body), faults: {} };
  if (csv === null) return { sha256: hash, part: textOf(list, body), faults: {} };
  const faults: ReadRows["faults"] = {};
  const columns = new Set(csv.names);
  const lines = [csv.names.map(quoteCsvText)];
  for (const [at, row] of (list.children ?? []).entries()) {
    const cells = readRow(row, body, columns, (name, sentence) => {
      faults[`rows.${at}.${shortenName(name)}`] ??= [sentence];
    });
    lines.push(csv.names.map((name) => writeCell(cells.get(name) ?? "", columns.size === 1)));
    if (Object.keys(faults).length >= MOST_FAULTS) break;
  }
  const end = csv.lineEnd ?? "\n";
  return { sha256: hash, part: lines.map((line) => `${line.join(",")}${end}`).join(""), faults };
}

/** Each row on a line of its own: line ends stand between the tokens of JSON alone. */
function writeLines(list: Node, body: string): string {
  return (list.children ?? []).map((row) => `${textOf(row, body).replace(/[\r\n]+/g, " ")}\n`).join("");
}

/** The cells of a row by their columns, of which it has to name each once. */
function readRow(
  row: Node,
  body: string,
  columns: ReadonlySet<string>,
  tell: (name: string, sentence: string) => void,
): Map<string, string> {
  const cells = new Map<string, string>();
  const unknown: string[] = [];
  for (const [name, value] of listMembers(row)) {
    const { text = "", fault } = readCell(value, body);
    if (!columns.has(name)) unknown.push(name);
    else if (cells.has(name)) tell(name, "The row names this column twice. Name it once.");
    else if (fault !== undefined) tell(name, fault);
    cells.set(name, text);
  }
  for (const name of unknown.slice(0, MOST_FAULTS))
    tell(name, `The file has no such column.${askWhetherMeant(name, [...columns])}`);
  const missing = [...columns].filter((name) => !cells.has(name));
  for (const name of missing.slice(0, MOST_FAULTS))
    tell(name, "The row lacks this column. Send null for a blank cell.");
  return cells;
}

function readCell(node: Node, body: string): { text?: string; fault?: string } {
  if (node.type === "null") return {};
  if (node.type === "object" || node.type === "array")
    return { fault: "A cell is a text, a number, true, false or null, and no list or object." };
  if (node.type !== "string") return { text: textOf(node, body) };
  const text = String(node.value);
  const unstorable = findUnstorable(text);
  return unstorable === null ? { text } : { fault: `The cell ${unstorable}.` };
}

/** A blank cell that is a whole row is quoted: a blank line would be none at the end of the file. */
function writeCell(text: string, isAlone: boolean): string {
  return text === "" && !isAlone ? "" : quoteCsvText(text);
}

/** As RFC 8785 has it, but with the digits of numbers as they were sent. */
function writeCanonical(node: Node, body: string): string {
  if (node.type === "string") return JSON.stringify(node.value);
  if (node.type === "array")
    return `[${(node.children ?? []).map((item) => writeCanonical(item, body)).join(",")}]`;
  if (node.type !== "object") return textOf(node, body);
  const members = listMembers(node).toSorted(([one], [other]) => compareUnits(one, other));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${writeCanonical(value, body)}`).join(",")}}`;
}
