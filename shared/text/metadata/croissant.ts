// The context of Croissant 1.1, appendix 1, as its authors' own examples and their loader have it: schema.org by https,
// which the loader demands, and four more terms, which it misses otherwise.
import context from "./croissant-context.json" with { type: "json" };
import { describeAgent } from "./describe-work.ts";
import {
  asRead,
  type DescribedColumn,
  type DescribedDataset,
  type DescribedFile,
  type DescribedTable,
  MEDIA_TYPES,
  nameParquet,
  PARQUET_TYPE,
  type ParquetForm,
  RETRACTED,
  writeVersion,
} from "./described-work.ts";

/** The version of the format, which is the profile of its media type too. */
export const CROISSANT = "http://mlcommons.org/croissant/1.1";

const MOST_FIELDS = 300;
const MOST_FORMS = 20;

/** A dataset as Croissant describes it: its files, and each of their tables as a set of records. */
export function writeCroissant(dataset: DescribedDataset): object {
  const { title, description, license, agent, owner, citeAs, files } = dataset;
  const { objects, tables } = placeFiles(files);
  return {
    "@context": context,
    "@type": "sc:Dataset",
    conformsTo: CROISSANT,
    name: title,
    description,
    license: license?.url ?? dataset.noLicenseUrl,
    url: dataset.url,
    ...(dataset.language === null ? {} : { inLanguage: dataset.language }),
    creator: describeAgent(agent, owner),
    datePublished: dataset.firstPublishedAt,
    dateModified: dataset.publishedAt,
    version: writeVersion(dataset.revisionNumber),
    ...(dataset.isLive ? { isLiveDataset: true } : {}),
    ...(citeAs === null ? {} : { citeAs }),
    ...(dataset.isRetracted ? { creativeWorkStatus: RETRACTED } : {}),
    distribution: objects,
    ...(tables.length > 0 ? { recordSet: tables.map(describeRecords) } : {}),
  };
}

/** A table with the file that its fields name. */
interface PlacedTable {
  file: DescribedFile;
  table: DescribedTable;
  fileId: string;
}

/**
 * The files, and their tables with something to load. Loaders read all fields of a file into one table, so each further
 * list of a document names the file by an id of its own.
 */
function placeFiles(files: readonly DescribedFile[]): { objects: object[]; tables: PlacedTable[] } {
  const placed = files.map((file, place) => {
    const id = `file-${place + 1}`;
    const tables = file.tables
      .filter(({ columns }) => columns.length > 0)
      .map((table, at) => ({ file, table, fileId: at === 0 ? id : `${id}/list-${at + 1}` }));
    const ids = tables.length === 0 ? [id] : tables.map(({ fileId }) => fileId);
    const forms = file.parquet
      .slice(0, MOST_FORMS)
      .map((form, at) => describeParquet(file, form, `${id}/parquet-${at + 1}`));
    const sent = file.reading === null ? [] : [describeFile(file, `${id}/as-sent`)];
    return { tables, objects: [...ids.map((own) => describeFile(asRead(file), own)), ...sent, ...forms] };
  });
  return {
    objects: placed.flatMap(({ objects }) => objects),
    tables: placed.flatMap(({ tables }) => tables),
  };
}

function describeFile(file: DescribedFile, id: string): object {
  return {
    "@type": "cr:FileObject",
    "@id": id,
    name: file.filename,
    ...(file.notes === null ? {} : { description: file.notes }),
    contentUrl: file.url,
    contentSize: `${file.bytes} B`,
    encodingFormat: MEDIA_TYPES[file.format],
    sha256: file.sha256,
  };
}

/** A table in another form, which no record names: its records are those of the file. */
function describeParquet(
  { filename }: DescribedFile,
  { list, url, bytes, sha256 }: ParquetForm,
  id: string,
): object {
  return {
    "@type": "cr:FileObject",
    "@id": id,
    name: nameParquet(filename, list),
    description: list === null ? `${filename}, as Parquet` : `${filename}: ${list}, as Parquet`,
    contentUrl: url,
    contentSize: `${bytes} B`,
    encodingFormat: PARQUET_TYPE,
    sha256,
  };
}

function describeRecords({ file, table, fileId }: PlacedTable, number: number): object {
  const id = `table-${number + 1}`;
  const fields = table.columns.slice(0, MOST_FIELDS).map((column, at) =>
    describeField(column, `${id}/column-${at + 1}`, {
      fileObject: { "@id": fileId },
      ...locate(file, table, column),
    }),
  );
  const name = table.list === null ? file.label : `${file.label}: ${table.list}`;
  return { "@type": "cr:RecordSet", "@id": id, name, ...writeKey(table, id), field: fields };
}

/** The types whose values differ where their texts do: keys go by the text as written. */
const AS_WRITTEN: ReadonlySet<string> = new Set(["sc:Text", "sc:Integer", "sc:Date"]);

/** The fields that identify a record, where every one of them is listed. */
function writeKey({ columns, primaryKey = [] }: DescribedTable, id: string): object {
  const fields = primaryKey.flatMap((name) => {
    const at = columns.findIndex((column) => column.name === name);
    const column = columns[at];
    const isListed = column !== undefined && at < MOST_FIELDS && AS_WRITTEN.has(typeOf(column));
    return isListed ? [{ "@id": `${id}/column-${at + 1}` }] : [];
  });
  if (fields.length === 0 || fields.length < primaryKey.length) return {};
  return { key: fields.length === 1 ? fields[0] : fields };
}

function describeField(column: DescribedColumn, id: string, source: object): object {
  const { name, concept } = column;
  return {
    "@type": "cr:Field",
    "@id": id,
    name,
    description: writeDescription(column) || undefined,
    dataType: typeOf(column),
    equivalentProperty: concept,
    source,
  };
}

/** What a column means in one text: the format has no member for units and missing values. */
function writeDescription({ title, description = title, unit, missing }: DescribedColumn): string {
  const notes = [
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(missing === undefined ? [] : [`Stands for blank: ${missing.join(", ")}.`]),
  ];
  if (description === undefined || notes.length === 0) return description ?? notes.join(" ");
  return [`${description}${/[.!?]$/.test(description) ? "" : "."}`, ...notes].join(" ");
}

/**
 * Where the cells of a column stand. A path to a member finds nothing in a record that lacks it, which would move all
 * values behind it up by one record: where that may be, the path finds the records, and a second one the member in each.
 */
function locate({ format }: DescribedFile, { list }: DescribedTable, column: DescribedColumn): object {
  const { name, blanks } = column;
  if (format === "csv" || format === "jsonl") return { extract: { column: name } };
  if (blanks === 0) return { extract: { jsonPath: writeJsonPath(list, name) } };
  return {
    extract: { jsonPath: writeJsonPath(list) },
    transform: { jsonPath: `$${step(name)}` },
  };
}

const FORM_TYPES: Readonly<Record<string, string>> = {
  integer: "sc:Integer",
  decimal: "sc:Float",
  day: "sc:Date",
  time: "sc:DateTime",
  times: "sc:DateTime",
};

function typeOf({ type, form }: DescribedColumn): string {
  if (type === "boolean") return "sc:Boolean";
  if (type === "number" && form === null) return "sc:Float";
  return FORM_TYPES[form ?? ""] ?? "sc:Text";
}

/** A name that every reader of JSONPath takes after a dot; two words are operators of one of them. */
const PLAIN = /^(?!(?:parent|where)$)[A-Za-z_][A-Za-z0-9_]*$/;
const TO_ESCAPE = /['\\\u0000-\u001f]/g;

/** The path to the records of a table, or to one member of each. */
export function writeJsonPath(list: string | null, member?: string): string {
  const records = `$${list === null ? "" : step(list)}[*]`;
  return member === undefined ? records : records + step(member);
}

function step(name: string): string {
  return PLAIN.test(name) ? `.${name}` : `['${name.replace(TO_ESCAPE, escapeCharacter)}']`;
}

/** As a text of RFC 9535 in single quotes writes it. */
function escapeCharacter(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
