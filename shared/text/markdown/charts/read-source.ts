import type { FieldErrors } from "../../../ground/errors.ts";
import { askWhetherMeant, shortenName } from "../../../ground/nearest-name.ts";
import { RawJson } from "../../../ground/raw-json.ts";
import { isNumberText } from "../../../tables/inspection/column-types.ts";
import { QUESTION_MEMBERS, type Question } from "../../../tables/questions/question.ts";
import { keepNumberText } from "../../../tables/questions/raw-question.ts";
import { readQuestionObject } from "../../../tables/questions/read-question.ts";
import {
  isObject,
  type JsonObject,
  keepLongNumber,
  memberOf,
  type ProblemList,
  readLongNumber,
  showValue,
} from "./members.ts";

/** Where a chart has its rows from: a stored file, by its id and its hash, and a question about it. */
export interface ChartSource {
  /** Null where what stands there is none; so is the hash. */
  assetId: string | null;
  contentSha256: string | null;
  /** The question, as far as it can be read, and what of it is refused: unknown members too. */
  question: Question;
  errors: FieldErrors;
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const SHA256 = /^[0-9a-f]{64}$/i;
const ASKED = QUESTION_MEMBERS.filter((name) => !name.startsWith("facet"));
const MEMBERS = ["asset_id", "content_sha256", ...ASKED];
const MOST_PROBLEMS = 20;

/**
 * Reads `data.from` of a block that is JSON, and notes every problem in it; null where it is no object. The numbers of
 * its question are taken as they are written in the block.
 */
export function readSource(source: string, problems: ProblemList): ChartSource | null {
  const from: unknown = JSON.parse(source, keepNumberText).data.from;
  if (!isObject(from)) {
    const form = '{"asset_id": "…", "content_sha256": "…"} with the members of a question';
    problems.add("data.from", `must be an object, got ${showValue(from)}; write ${form}.`);
    return null;
  }
  const assetId = readPattern(from, "asset_id", ULID, "the id of a file", problems);
  const hash = readPattern(
    from,
    "content_sha256",
    SHA256,
    "the file's SHA-256, 64 digits from 0 to f",
    problems,
  );
  return {
    assetId: assetId?.toUpperCase() ?? null,
    contentSha256: hash?.toLowerCase() ?? null,
    ...readAsked(from, problems),
  };
}

function readPattern(
  from: JsonObject,
  name: string,
  pattern: RegExp,
  what: string,
  problems: ProblemList,
): string | null {
  const value = memberOf(from, name);
  if (typeof value === "string" && pattern.test(value)) return value;
  const got = value === undefined ? "is missing; write" : `must be ${what}, got ${showValue(value)}; write`;
  problems.add(`data.from.${name}`, `${got} ${what} as its upload or describe_dataset tells it.`);
  return null;
}

function readAsked(from: JsonObject, problems: ProblemList): Pick<ChartSource, "question" | "errors"> {
  const names = Object.keys(from);
  const unknown = names.filter((name) => !MEMBERS.includes(name)).slice(0, MOST_PROBLEMS);
  for (const name of unknown) {
    const shown = JSON.stringify(shortenName(name));
    const known = `Allowed here: ${MEMBERS.join(", ")}.`;
    problems.add("data.from", `has no member ${shown}.${askWhetherMeant(name, MEMBERS)} ${known}`);
  }
  const asked = Object.fromEntries(
    Object.entries(from).filter(([name]) => ASKED.some((one) => one === name)),
  );
  const { question, errors } = readQuestionObject(asked);
  const faults = Object.entries(errors).slice(0, MOST_PROBLEMS);
  for (const [field, messages] of faults)
    problems.add(`data.from.${field}`, `is refused: ${messages.join(" ")}`);
  return { question, errors: { ...Object.fromEntries(unknown.map((name) => [name, []])), ...errors } };
}

/** The rows that a question of a chart found, as its answer has them. */
export interface KeptRows {
  /** The format of the file: a CSV has texts alone. */
  format: "csv" | "json";
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/** Reads kept rows from their JSON text; null where there are none. */
export function readKeptRows(json: string | null | undefined): KeptRows | null {
  return json == null ? null : (JSON.parse(json, keepLongNumber) as KeptRows);
}

/**
 * The rows as the objects that `data.values` would hold: blank cells, those named in `blank` too, are missing, and
 * cells of a CSV in these number fields are read as numbers.
 */
export function toValues(
  { format, columns, rows }: KeptRows,
  blank: readonly string[],
  numberFields: ReadonlySet<string | null>,
): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => {
        const cell = row[index] ?? null;
        if (isBlank(cell, blank)) return [column, null];
        const isNumber =
          format === "csv" && numberFields.has(column) && typeof cell === "string" && isNumberText(cell);
        return [column, isNumber ? readLongNumber(cell) : cell];
      }),
    ),
  );
}

function isBlank(cell: unknown, blank: readonly string[]): boolean {
  if (cell === null || cell === "") return true;
  const text = cell instanceof RawJson ? cell.text : cell;
  return (typeof text === "string" || typeof text === "number") && blank.includes(String(text));
}
