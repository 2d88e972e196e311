import { hash } from "node:crypto";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import { keepDigits, stringifyJson } from "../../ground/raw-json.ts";
import { isGrouped, type Question } from "./question.ts";

/** The most rows of a watched answer. */
export const MOST_WATCHED_ROWS = 10_000;
/** Of each row so many bytes of its hash are kept: enough to tell rows apart. */
export const HASH_BYTES = 8;

/** The hashes of an answer and of its rows, one behind the other, and the JSON of its first rows. */
export interface AnswerDigest {
  sha256: string;
  rowHashes: Uint8Array;
  first: string;
}

/** What of an answer is read again. */
export interface AnswerJson {
  columns: string[];
  rows: unknown[][];
  matched: number;
  groups: number | null;
  columns_left_out?: number;
}

/** How many rows an answer has before the question's offset and limit. */
export function countFound({ groups, matched }: AnswerJson, question: Question): number {
  return Number(groups ?? (isGrouped(question) ? 1 : matched));
}

/** How many rows an answer would have behind the question's offset, were there room for so many. */
export function countWanted(answer: AnswerJson, question: Question, limit = question.limit): number {
  return Math.min(limit, Math.max(0, countFound(answer, question) - question.offset));
}

/** What is kept of a whole answer, with so many of its rows to show, or why it cannot be watched. */
export function digestAnswer(json: Uint8Array, question: Question, rowsShown: number): AnswerDigest | string {
  const text = Buffer.from(json).toString();
  const answer = JSON.parse(text, numberToText) as AnswerJson;
  const { columns, rows } = answer;
  const wanted = countWanted(answer, question);
  if (wanted > MOST_WATCHED_ROWS)
    return `The question finds more than ${MOST_WATCHED_ROWS} rows, the most of a watched answer: group or filter them, or give a limit.`;
  if (rows.length < wanted)
    return "The question finds more than fits into one answer: name the columns, or give a limit.";
  const written = rows.map(toCanonicalJson);
  const hashes = written.map((row) => hash("sha256", row, "buffer").subarray(0, HASH_BYTES));
  const whole = `{"columns":${toCanonicalJson(columns)},"rows":[${written.join(",")}]}`;
  const shown = rowsShown === 0 ? [] : (JSON.parse(text, keepDigits) as AnswerJson).rows.slice(0, rowsShown);
  const first = stringifyJson({ columns, rows: shown });
  return { sha256: sha256(whole), rowHashes: Buffer.concat(hashes), first };
}

/** A reviver of JSON: numbers become the texts by which they were written. */
function numberToText(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}
