import { RawJson, stringifyJson } from "../../ground/raw-json.ts";

/** What the matching rows hold in one column. */
export interface AnsweredFacet {
  column: string;
  distinct: number;
  blanks: number;
  /** `text` is null where the value is a list or an object, which no filter names. */
  values: { shown: string; text: string | null; count: number }[];
}

/** An answer to a question as pages show it: each cell as a text in the digits of the file, null where it is blank. */
export interface ShownAnswer {
  columns: string[];
  rows: (string | null)[][];
  matched: number;
  groups: number | null;
  total: number;
  facets: AnsweredFacet[];
}

/** The answer as its JSON is parsed, with each number as it is written. */
interface ParsedAnswer {
  columns: string[];
  rows: unknown[][];
  matched: RawJson;
  groups: RawJson | null;
  total: RawJson;
  facets: {
    column: string;
    distinct: RawJson;
    blanks: RawJson;
    values: { value: unknown; count: RawJson }[];
  }[];
}

/** Reads the JSON of an answer (`write-page.ts`). */
export function readAnswer(json: Uint8Array): ShownAnswer {
  const parsed = JSON.parse(Buffer.from(json).toString(), keepNumber) as ParsedAnswer;
  return {
    columns: parsed.columns,
    rows: parsed.rows.map((row) => row.map(showCell)),
    matched: toNumber(parsed.matched),
    groups: parsed.groups && toNumber(parsed.groups),
    total: toNumber(parsed.total),
    facets: parsed.facets.map(({ column, distinct, blanks, values }) => ({
      column,
      distinct: toNumber(distinct),
      blanks: toNumber(blanks),
      values: values.map(({ value, count }) => ({
        shown: showCell(value) ?? "",
        text: isNested(value) ? null : showCell(value),
        count: toNumber(count),
      })),
    })),
  };
}

function keepNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" ? new RawJson(context?.source ?? String(value)) : value;
}

function toNumber({ text }: RawJson): number {
  return Number(text);
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof RawJson);
}

function showCell(cell: unknown): string | null {
  if (cell === null || cell === "") return null;
  return typeof cell === "string" ? cell : stringifyJson(cell);
}
