import { takeCodePoints } from "../../../ground/text.ts";
import type { ChartProblem } from "./chart.ts";

/** Collects the problems of one block. */
export interface ProblemList {
  /** The member that holds the rows: `data.values`, or `data.from` where a question finds them. */
  readonly rowsPath: string;
  /** Notes a problem of a member: "<path> <reason>". */
  add(path: string, reason: string): void;
  /** Notes a problem of a row; after the first ten of a kind only their number is reported. */
  addOfRow(row: number, field: string | null, kind: string, reason: string): void;
  /** All of them in the order found, those of rows cut short last. */
  finish(): ChartProblem[];
}

const MOST_OF_A_KIND = 10;
const MOST_NAME_CHARACTERS = 40;
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Starts an empty list. */
export function createProblemList(rowsPath = "data.values"): ProblemList {
  const problems: ChartProblem[] = [];
  const counts = new Map<string, number>();
  return {
    rowsPath,
    add: (path, reason) => problems.push({ path, message: `${path} ${reason}` }),
    addOfRow: (row, field, kind, reason) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count > MOST_OF_A_KIND) return;
      const path = field === null ? `${rowsPath}[${row}]` : joinPath(`${rowsPath}[${row}]`, field);
      problems.push({ path, message: `${path} (row ${row + 1}) ${reason}` });
    },
    finish: () => [...problems, ...countSurplus(counts, rowsPath)],
  };
}

function countSurplus(counts: ReadonlyMap<string, number>, rowsPath: string): ChartProblem[] {
  return Array.from(counts, ([kind, count]) => ({ kind, more: count - MOST_OF_A_KIND }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => ({
      path: rowsPath,
      message: `${rowsPath}: ${more} more ${more === 1 ? "row has" : "rows have"} the same problem (${kind}).`,
    }));
}

/** A member's path; a name that is no plain word is quoted, a long one cut. */
export function joinPath(parent: string, name: string): string {
  const short = shorten(name);
  if (PLAIN_NAME.test(short)) return parent === "" ? short : `${parent}.${short}`;
  return `${parent}[${JSON.stringify(short)}]`;
}

/** A value as a message shows it: short, on one line, its kind where it is no single value. */
export function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number beyond 1.8e308";
  if (typeof value === "string") return JSON.stringify(shorten(value));
  return String(value);
}

/** "a, b or c". */
export function listChoices(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function shorten(text: string): string {
  const head = takeCodePoints(text, MOST_NAME_CHARACTERS);
  return head === text ? text : `${head}…`;
}
