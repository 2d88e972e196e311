import {
  asRead,
  type DescribedDataset,
  type DescribedFile,
  type DescribedTable,
  MEDIA_TYPES,
  writeVersion,
} from "./described-work.ts";
import { describeField, listForeignKeys, listPrimaryKey, type Resource } from "./table-schema.ts";

/** The profile of these documents. */
export const DATA_PACKAGE = "https://datapackage.org/profiles/2.0/datapackage.json";

/** A dataset as a Data Package: each table of its files as a resource with its schema. */
export function writeDataPackage(dataset: DescribedDataset): object {
  const { handle, slug, agent, license, sources, keywords } = dataset;
  return {
    $schema: DATA_PACKAGE,
    name: `${handle}-${slug}`,
    id: dataset.revisionUrl,
    title: dataset.title,
    description: dataset.description,
    homepage: dataset.url,
    version: writeVersion(dataset.revisionNumber),
    created: dataset.publishedAt,
    ...(license === null ? {} : { licenses: [{ name: license.id, path: license.url, title: license.name }] }),
    contributors: [{ title: agent.name, path: agent.url, roles: ["creator"] }],
    ...(sources.length === 0 ? {} : { sources: sources.map(({ title, url }) => ({ title, path: url })) }),
    ...(keywords.length === 0 ? {} : { keywords }),
    resources: listResources(dataset.files.map(asDescribed)),
  };
}

function listResources(files: readonly DescribedFile[]): object[] {
  const taken = new Map<string, number>();
  const resources = files.flatMap((file, place): Resource[] => {
    const tables = file.tables.filter(({ columns }) => columns.length > 0);
    const nameOf = (table: DescribedTable | null) => {
      const several = tables.length > 1 && table !== null ? [table.list ?? ""] : [];
      return takeName([file.label, ...several], `file-${place + 1}`, taken);
    };
    if (tables.length === 0) return [{ file, table: null, name: nameOf(null) }];
    return tables.map((table) => ({ file, table, name: nameOf(table) }));
  });
  return resources.map(({ file, table, name }) => ({
    ...describeFile(file, name),
    ...(table === null ? {} : describeTable(file, table, resources)),
  }));
}

/** What Table Dialect has words for: a reader by it alone finds the same rows. */
const SAID: ReadonlySet<string> = new Set([
  ...["delimiter", "quoteChar", "doubleQuote", "escapeChar", "lineTerminator", "skipInitialSpace"],
  ...["header", "headerRows", "commentChar", "encoding"],
]);

/** The file as sent where Table Dialect can say how it is read; else what is read of it. */
function asDescribed(file: DescribedFile): DescribedFile {
  const members = Object.entries(file.reading?.dialect ?? {});
  return members.every(([name, value]) => SAID.has(name) && value !== null) ? file : asRead(file);
}

function describeFile(file: DescribedFile, name: string): object {
  return {
    name,
    path: file.url,
    title: file.label,
    ...(file.notes === null ? {} : { description: file.notes }),
    format: file.format,
    mediatype: MEDIA_TYPES[file.format],
    encoding: file.reading?.dialect.encoding ?? "utf-8",
    bytes: file.bytes,
    hash: `sha256:${file.sha256}`,
  };
}

function describeTable(file: DescribedFile, table: DescribedTable, resources: readonly Resource[]): object {
  const { list, columns } = table;
  const { encoding: _, ...dialect } = file.reading?.dialect ?? {};
  return {
    type: "table",
    ...(file.reading === null
      ? {}
      : { dialect: { ...dialect, ...(dialect.headerRows && { headerJoin: " " }) } }),
    ...(list === null ? {} : { title: `${file.label}: ${list}`, dialect: { property: list } }),
    schema: {
      fields: columns.map((column) => describeField(column, file.format)),
      ...listPrimaryKey(table, file.format),
      ...listForeignKeys(file, table, resources),
    },
  };
}

const MOST_NAME_CHARACTERS = 100;

/** A name from some words, of letters, digits and hyphens, that no resource has yet. */
function takeName(words: readonly string[], otherwise: string, taken: Map<string, number>): string {
  const plain = words
    .join("-")
    .slice(0, MOST_NAME_CHARACTERS)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const base = plain === "" ? otherwise : plain;
  let number = taken.get(base) ?? 0;
  let name = base;
  do {
    number += 1;
    name = number === 1 ? base : `${base}-${number}`;
  } while (number > 1 && taken.has(name));
  taken.set(base, number);
  if (name !== base) taken.set(name, 1);
  return name;
}
