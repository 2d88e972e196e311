import type { FieldErrors } from "../../ground/field-errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { findNameFaults } from "../../ground/parameters.ts";
import { MOST_COLUMNS_A_CALL, readLimit, readNames, readOffset } from "../rows/query.ts";
import { CHANGE_NAMES } from "./list-changes.ts";

/** A question about two files, as the query of an address has it. */
export interface DiffQuestion {
  base: string;
  table: string | null;
  key: string[] | null;
  /** The kinds of changes that are asked for, by their numbers in rising order. */
  kinds: number[];
  columns: string[] | null;
  offset: number;
  limit: number;
}

const SINGLE = ["base", "table", "offset", "limit"];
const LISTED = ["base", "table", "key[]", "change[]", "columns[]", "offset", "limit"];
const LIST = /^(key|change|columns)(\[\d*\])?$/;
/** How many columns a key may have. */
export const MOST_KEY_COLUMNS = 10;

/** Reads the question of a query with all its faults; a limit above `rowsPerCall` is cut to it, null is none. */
export function readDiffQuestion(
  query: URLSearchParams,
  rowsPerCall: number | null,
): { question: DiffQuestion; errors: FieldErrors } {
  const single = [...query.keys()].filter((name) => !LIST.test(name));
  const errors = findNameFaults(single, SINGLE, LISTED);
  // A name that is unknown may be that of the base, misspelt.
  const saysBase = Object.keys(errors).length === 0;
  const hasNoLimit = rowsPerCall === null && !query.has("limit");
  const most = rowsPerCall ?? Number.MAX_SAFE_INTEGER;
  const question = {
    base: query.get("base") ?? "",
    table: query.get("table"),
    key: readNames(query, "key", MOST_KEY_COLUMNS, errors),
    kinds: readKinds(query, errors),
    columns: readNames(query, "columns", MOST_COLUMNS_A_CALL, errors),
    offset: readOffset(query.get("offset"), errors),
    limit: hasNoLimit ? Number.MAX_SAFE_INTEGER : readLimit(query.get("limit"), most, errors),
  };
  if (question.base === "" && saysBase) errors.base ??= ["Name the older file by its id: base=01M7…"];
  return { question, errors };
}

function readKinds(query: URLSearchParams, errors: FieldErrors): number[] {
  const names = [...query].filter(([name]) => /^change(\[\d*\])?$/.test(name)).map(([, value]) => value);
  const kinds = new Set<number>();
  for (const [place, name] of names.entries()) {
    const kind = (CHANGE_NAMES as readonly string[]).indexOf(name);
    if (kind === -1 && Object.keys(errors).length < MOST_FAULTS) {
      const meant = askWhetherMeant(name, CHANGE_NAMES);
      errors[`change.${place}`] = [`There is no such change.${meant} Use ${CHANGE_NAMES.join(", ")}.`];
    } else if (kinds.has(kind)) errors[`change.${place}`] = ["The change is named twice. Name it once."];
    kinds.add(kind);
  }
  return names.length === 0 ? [...CHANGE_NAMES.keys()] : [...kinds].toSorted((one, other) => one - other);
}

// A query may have a thousand parameters.
const MOST_FAULTS = 20;
