import type { SentFormat } from "../../tables/inspection/verdict.ts";
import type { DescribedColumn, DescribedFile, DescribedTable } from "./described-work.ts";

/** The type of a column as a Table Schema writes it, with the format or the values that the type needs. */
function writeFieldType({ type, form }: DescribedColumn, format: SentFormat): { type: string } {
  switch (type) {
    case "number":
      return { type: form === "integer" ? "integer" : "number" };
    case "date":
      return DATE_TYPES[form ?? ""] ?? { type: "string" };
    case "boolean":
      return { type: "boolean", ...listSpellings(form ?? "") };
    case "object":
    case "array":
      return { type };
    case "mixed":
      // A JSON cell has a type of its own, a CSV cell is text in any case.
      return { type: format === "csv" ? "string" : "any" };
    default:
      return { type: "string" };
  }
}

const DATE_TYPES: Readonly<Record<string, { type: string; format?: string }>> = {
  day: { type: "date" },
  month: { type: "yearmonth" },
  time: { type: "datetime" },
  times: { type: "datetime", format: "any" },
};

/** The spellings that occur; one that does not occur has those of the standard. */
function listSpellings(form: string): { trueValues?: string[]; falseValues?: string[] } {
  const spellings = form.split(" ");
  const [yes, no] = ["true", "false"].map((word) => spellings.filter((own) => own.toLowerCase() === word));
  return {
    ...(yes?.length ? { trueValues: yes } : {}),
    ...(no?.length ? { falseValues: no } : {}),
  };
}

/** A file, or one of its tables, under its name. */
export interface Resource {
  file: DescribedFile;
  table: DescribedTable | null;
  name: string;
}

/** A column as a field of a Table Schema, with what its agent says of it and the rules that hold. */
export function describeField(column: DescribedColumn, format: SentFormat): object {
  const { name, title, description, unit, concept, missing, categories } = column;
  const type = typeOf(column, format);
  const constraints = listConstraints(column, type.type);
  const isChoice = type.type === "string" && categories !== undefined;
  return {
    name,
    ...type,
    title,
    description,
    unit,
    rdfType: concept,
    missingValues: missing && ["", ...missing],
    categories: isChoice ? categories : undefined,
    ...(Object.keys(constraints).length === 0 ? {} : { constraints }),
  };
}

function typeOf({ beside, ...column }: DescribedColumn, format: SentFormat): { type: string } {
  return writeFieldType({ ...column, ...beside }, format);
}

/** The types whose values differ where their texts do: our rules go by the text as written. */
const AS_WRITTEN: ReadonlySet<string> = new Set(["string", "integer", "date", "yearmonth"]);
const LISTED: ReadonlySet<string> = new Set([...AS_WRITTEN, "number"]);
const ORDERED: ReadonlySet<string> = new Set(["number", "integer", "date", "yearmonth", "datetime"]);

function listConstraints(column: DescribedColumn, type: string): Record<string, unknown> {
  const { required, unique, categories, minimum, maximum } = column;
  const [least, most] = [writeBound(minimum, type, Math.ceil), writeBound(maximum, type, Math.floor)];
  return {
    ...(required ? { required } : {}),
    ...(unique && AS_WRITTEN.has(type) ? { unique } : {}),
    ...(least === undefined ? {} : { minimum: least }),
    ...(most === undefined ? {} : { maximum: most }),
    ...(categories !== undefined && LISTED.has(type) ? { enum: categories.map(({ value }) => value) } : {}),
  };
}

/** A bound in the type of its field; one that the type cannot hold is left out. */
function writeBound(
  bound: number | string | undefined,
  type: string,
  round: (bound: number) => number,
): number | string | undefined {
  if (bound === undefined || !ORDERED.has(type)) return undefined;
  const isNumber = type === "number" || type === "integer";
  if (typeof bound === "number") return isNumber ? (type === "integer" ? round(bound) : bound) : undefined;
  return type !== "integer" || /^-?\d+$/.test(bound) ? bound : undefined;
}

/** The primary key, where every column of it has a type whose values differ where their texts do. */
export function listPrimaryKey({ primaryKey, columns }: DescribedTable, format: SentFormat): object {
  if (primaryKey === undefined) return {};
  const types = primaryKey.map((name) => columns.find((column) => column.name === name));
  const isExact = types.every(
    (column) => column !== undefined && AS_WRITTEN.has(typeOf(column, format).type),
  );
  return isExact ? { primaryKey } : {};
}

/** The columns that refer to one of another resource. */
export function listForeignKeys(
  file: DescribedFile,
  { columns }: DescribedTable,
  resources: readonly Resource[],
): object {
  const foreignKeys = columns.flatMap(({ name, references }) => {
    if (references === undefined) return [];
    const target = resources.find(
      (other) =>
        other.file !== file &&
        other.file.label === references.label &&
        other.table?.columns.some((column) => column.name === references.column),
    );
    if (target === undefined) return [];
    return [{ fields: [name], reference: { resource: target.name, fields: [references.column] } }];
  });
  return foreignKeys.length === 0 ? {} : { foreignKeys };
}
