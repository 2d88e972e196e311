import { joinWords } from "../../ground/text.ts";
import { clip, refuseUnseenNames } from "../inspection/csv-header.ts";
import { FileRefused, refuseFault, refuseWideTable } from "../inspection/verdict.ts";
import { type Dialect, refuseMember } from "./dialect.ts";

/** A name of a column, and whether it was made because the file has none. */
export interface TableName {
  name: string;
  generated: boolean;
}

/** The names of a table whose rows are all data. */
export function generateNames(count: number): TableName[] {
  refuseWideTable(count, 0);
  return Array.from({ length: count }, (_, at) => ({ name: nameOf(at), generated: true }));
}

function nameOf(at: number): string {
  return `column_${at + 1}`;
}

/** A row of names as it stands in the file. */
export interface NamesRow {
  row: number;
  names: string[];
}

/** The names that one or several rows give. Throws where one is blank or stands twice, or the rows differ in width. */
export function joinNames(rows: readonly NamesRow[], dialect: Dialect): TableName[] {
  const [first, ...others] = rows;
  if (first === undefined) throw new Error("a header needs a row of names");
  const other = others.find(({ names }) => names.length !== first.names.length);
  if (other !== undefined)
    throw refuseMember(
      "headerRows",
      `Row ${first.row} has ${first.names.length} names, and row ${other.row} has ${other.names.length}. Name rows of one width.`,
    );
  const names = first.names.map((name, at): TableName => {
    const parts = [name, ...others.map((row) => row.names[at] ?? "")].filter((part) => part.trim() !== "");
    if (parts.length > 0) return { name: parts.join(" "), generated: false };
    if (dialect.nullColumns === "name") return { name: nameOf(at), generated: true };
    throw refuseFault(
      `${sayRows(rows)}, the header, ${rows.length === 1 ? "has" : "have"} no name for column ${at + 1}.`,
      'Give every column a name of its own, or set nullColumns to "name".',
    );
  });
  refuseRepeatedNames(rows, names, dialect);
  // The canonical file would begin with a mark that belongs to its first name.
  refuseUnseenNames(
    names.map(({ name }) => name),
    sayRows(rows),
  );
  refuseWideTable(names.length, names.join().length);
  return names;
}

function sayRows(rows: readonly NamesRow[]): string {
  return `${rows.length === 1 ? "Row" : "Rows"} ${joinWords(rows.map(({ row }) => row))}`;
}

function refuseRepeatedNames(rows: readonly NamesRow[], names: readonly TableName[], dialect: Dialect): void {
  const first = new Map<string, number>();
  for (const [at, { name, generated }] of names.entries()) {
    const earlier = first.get(name);
    first.set(name, at);
    if (earlier === undefined) continue;
    const sentence = `${sayRows(rows)}, the header, ${rows.length === 1 ? "uses" : "use"} one name for columns ${earlier + 1} and ${at + 1}: "${clip(name)}". Give every column a name of its own.`;
    if (generated || names[earlier]?.generated) throw refuseMember("nullColumns", sentence);
    if (dialect.headerRows) throw refuseMember("headerRows", sentence);
    throw new FileRefused(sentence);
  }
}
