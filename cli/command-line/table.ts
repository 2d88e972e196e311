import { refuseField } from "../../shared/ground/errors.ts";
import { refuseName } from "../../shared/ground/nearest-name.ts";
import { countCodePoints, takeCodePoints } from "../../shared/ground/text.ts";

const WIDEST = 48;

/** Rows as a table of aligned columns, one line each, for a terminal; empty where there are no rows. */
export function writeTable(rows: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => writeCell(row[name]))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => countCodePoints(line[at] ?? ""))));
  const pad = (cell: string, at: number) => cell + " ".repeat((widths[at] ?? 0) - countCodePoints(cell));
  return lines.map((line) => `${line.map(pad).join("  ").trimEnd()}\n`).join("");
}

/** The members of one thing, a line each; lists and objects in it as tables of their own below. */
export function writeCard(entry: Record<string, unknown>): string {
  const isPart = (value: unknown) => typeof value === "object" && value !== null;
  const facts = Object.entries(entry).filter(([, value]) => !isPart(value));
  const width = Math.max(...facts.map(([name]) => name.length));
  const head = facts
    .map(([name, value]) => `${name.padEnd(width)}  ${writeCell(value, Number.POSITIVE_INFINITY)}\n`)
    .join("");
  const parts = Object.entries(entry).filter(([, value]) => isPart(value));
  return head + parts.map(([name, value]) => writePart(name, value)).join("");
}

function writePart(name: string, value: unknown): string {
  const rows = Array.isArray(value)
    ? value
    : Object.entries(value as object).map(([key, inner]) =>
        typeof inner === "object" && inner !== null ? { name: key, ...inner } : { name: key, value: inner },
      );
  return rows.length === 0 ? `\n${name}: none\n` : `\n${name}\n${writeTable(rows)}`;
}

/** A value in one line, cut; texts of others must not move a terminal's cursor. */
function writeCell(value: unknown, widest = WIDEST): string {
  const text =
    value === null || value === undefined ? "-" : typeof value === "string" ? value : JSON.stringify(value);
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return countCodePoints(shown) > widest ? `${takeCodePoints(shown, widest - 1)}…` : shown;
}

const FORMATS = ["json", "table"];

/** The option of every command whose answer may be a table. */
export const FORMAT_OPTION = [
  "--format <json|table>",
  "the form of the answer: a table on a terminal, else JSON",
] as const;

/** Whether a table is wanted: on a terminal, unless the option says otherwise. */
export function isTable(format: string | undefined): boolean {
  if (format === undefined) return process.stdout.isTTY === true;
  if (!FORMATS.includes(format))
    throw refuseField("format", refuseName(format, { kind: "format", taker: "command" }, FORMATS));
  return format === "table";
}
