import { findNearestName } from "../../ground/nearest-name.ts";
import { type KnownTable, listTables, quoteName, type RowsFile } from "../rows/plan.ts";
import { writeBound } from "./bounds.ts";
import {
  type Dictionary,
  type DictionaryColumn,
  type DictionaryMember,
  listDictionaries,
} from "./dictionary.ts";
import {
  type ColumnRules,
  MOST_FAULTS,
  type ReferencedColumn,
  type RuleFault,
  type TableRules,
} from "./table-rules.ts";

/** An attachment of a payload with what inspection found in its file. */
export interface AttachedFile {
  label: string;
  dictionary: DictionaryMember | null;
  file: RowsFile;
}

/** The rules of the dictionaries of a payload, of the columns that there are, and what is wrong with their names. */
export interface Resolved {
  tables: TableRules[];
  faults: RuleFault[];
}

/**
 * Finds the tables and columns that dictionaries name. A reference to one of the `absent` labels is not followed; where
 * one of them is undefined, it may be any.
 */
export function resolveDictionaries(
  files: readonly AttachedFile[],
  absent: readonly (string | undefined)[] = [],
): Resolved {
  const resolved: Resolved = { tables: [], faults: [] };
  for (const [attachment, { dictionary: member }] of files.entries()) {
    if (member === null) continue;
    const taken = new Set<string | null>();
    for (const { dictionary, path: end } of listDictionaries(member)) {
      const path = `payload.attachments.${attachment}.dictionary${end}`;
      const place = { files, absent, attachment, path, faults: resolved.faults };
      const rules = resolveOne(place, dictionary, taken);
      if (rules !== null) resolved.tables.push(rules);
    }
  }
  return resolved;
}

interface Place {
  files: readonly AttachedFile[];
  absent: readonly (string | undefined)[];
  attachment: number;
  path: string;
  faults: RuleFault[];
}

function resolveOne(place: Place, dictionary: Dictionary, taken: Set<string | null>): TableRules | null {
  const { files, attachment, path, faults } = place;
  const table = chooseTable(listTables(files[attachment]?.file), dictionary, place);
  if (table === null) return null;
  if (taken.has(table.name)) {
    faults.push({ path, sentence: "An earlier dictionary is of this table; describe each table once." });
    return null;
  }
  taken.add(table.name);
  const names = new Set(table.columns.map(({ name }) => name));
  const isKnown = (name: string, at: string) => {
    if (!names.has(name) && faults.length < MOST_FAULTS)
      faults.push({ path: `${path}.${at}`, sentence: refuseName(name, table) });
    return names.has(name);
  };
  const columns = dictionary.columns
    .map((column, at) => resolveColumn(place, column, at))
    .filter(({ name }, at) => isKnown(name, `columns.${at}.name`));
  const missingOf = (name: string) => columns.find((column) => column.name === name)?.missing ?? [];
  const key = (dictionary.primary_key ?? []).map((name) => ({ name, missing: missingOf(name) }));
  const keyed = key.filter(({ name }, at) => isKnown(name, `primary_key.${at}`));
  return {
    attachment,
    position: table.position,
    path,
    tableColumns: table.columns.map(({ name }) => name),
    rowCount: table.rowCount,
    columns,
    // A part of a key tells no rows apart.
    primaryKey: key.length > 0 && keyed.length === key.length ? key : null,
  };
}

function chooseTable(
  tables: KnownTable[],
  { table }: Dictionary,
  { path, faults }: Place,
): KnownTable | null {
  const refuse = (at: string, sentence: string) => {
    faults.push({ path: at, sentence });
    return null;
  };
  const [first, ...others] = tables;
  if (first === undefined) return refuse(path, "The file holds no table; leave the dictionary out.");
  if (table === undefined) {
    if (others.length === 0) return first;
    return refuse(`${path}.table`, `The file has several tables; name one of ${quoteNames(tables)}.`);
  }
  if (first.name === null)
    return refuse(`${path}.table`, "The file is one table without a name; leave table out.");
  const found = tables.find(({ name }) => name === table);
  return found ?? refuse(`${path}.table`, `The file has no such table; it has ${quoteNames(tables)}.`);
}

const NAMES_LISTED = 20;

function quoteNames(all: readonly { name: string | null }[]): string {
  const rest = all.length - NAMES_LISTED;
  const listed = all.slice(0, NAMES_LISTED).map(({ name }) => quoteName(name ?? ""));
  return `${listed.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function refuseName(name: string, { columns }: KnownTable): string {
  const nearest = findNearestName(
    name,
    columns.map((column) => column.name),
  );
  const meant = nearest === null ? "" : ` Did you mean ${quoteName(nearest)}?`;
  return `The table has no such column.${meant} It has ${quoteNames(columns)}. Names are exact.`;
}

function resolveColumn(place: Place, column: DictionaryColumn, at: number): ColumnRules {
  const path = `${place.path}.columns.${at}`;
  const { name, missing_values, required, unique, minimum, maximum, categories } = column;
  return {
    name,
    path,
    missing: missing_values ?? [],
    required: required === true,
    unique: unique === true,
    minimum: minimum === undefined ? null : writeBound(minimum),
    maximum: maximum === undefined ? null : writeBound(maximum),
    categories: categories?.map(({ value }) => value) ?? null,
    reference: resolveReference(place, column, `${path}.references`),
  };
}

/** Finds the column that a column refers to: of a file with several lists, in the one that has it. */
function resolveReference(
  { files, absent, attachment, faults }: Place,
  { references }: DictionaryColumn,
  path: string,
): ReferencedColumn | null {
  if (references === undefined) return null;
  const { label, column } = references;
  const refuse = (member: string, sentence: string) => {
    faults.push({ path: `${path}.${member}`, sentence });
    return null;
  };
  const found = files.flatMap((file, place) => (file.label === label && place !== attachment ? [place] : []));
  const [target, ...others] = found;
  if (target === undefined) {
    if (absent.includes(label) || absent.includes(undefined)) return null;
    const labels = files.flatMap((file, place) => (place === attachment ? [] : [{ name: file.label }]));
    const listed = labels.length === 0 ? "There is none." : `There are ${quoteNames(labels)}.`;
    return refuse("label", `No other attachment of this payload has this label. ${listed}`);
  }
  if (others.length > 0) return refuse("label", "Several attachments have this label; give each its own.");
  const tables = listTables(files[target]?.file);
  const holding = tables.filter(({ columns }) => columns.some(({ name }) => name === column));
  const [table] = holding;
  if (table === undefined)
    return refuse("column", `The file ${quoteName(label)} has no such column. Names are exact.`);
  if (holding.length > 1)
    return refuse("column", `Several tables of the file ${quoteName(label)} have such a column.`);
  return {
    attachment: target,
    position: table.position,
    label,
    column,
    missing: missingIn(files[target], table, column),
  };
}

function missingIn(file: AttachedFile | undefined, { name }: KnownTable, column: string): readonly string[] {
  const all = file?.dictionary == null ? [] : listDictionaries(file.dictionary);
  const own = all.find(({ dictionary }) => (dictionary.table ?? name) === name);
  return own?.dictionary.columns.find((one) => one.name === column)?.missing_values ?? [];
}
