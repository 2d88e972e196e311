const ABOUT = ["$schema", "profile", "type", "format", "mediatype", "bytes", "hash"];
/** Where members of the payload, and of its lists, stand under another name. */
const PLACES = {
  ...{
    slug: "name",
    summary: "description",
    notes: "description",
    label: "title",
    license: ["licenses", 0, "name"],
  },
  ...{ attachments: "resources", asset_id: "path", url: "path" },
  ...{ dictionary: "schema", primary_key: "primaryKey", columns: "fields", missing_values: "missingValues" },
  ...{ required: ["constraints", "required"], unique: ["constraints", "unique"] },
  ...{ minimum: ["constraints", "minimum"], maximum: ["constraints", "maximum"] },
};

const listOf = (value) => (Array.isArray(value) ? value : []);
const membersOf = (value) => (typeof value === "object" && value) || {};
const labelOf = (resource) => resource?.title ?? resource?.name;
const toMarks = (values) => listOf(values).flatMap((mark) => (mark?.value ?? mark) || []);

/** Reads a Data Package 2.0 as the payload of a dataset, with its files and the members that no payload has. */
export function readPackage(value) {
  const ignored = new Set();
  /** Each member that is neither taken nor only about the file is told once. */
  const ignore = (others, where = "") => {
    for (const name of Object.keys(others)) if (!ABOUT.includes(name)) ignored.add(where + name);
  };
  const { name: _, title, description: summary, licenses, sources, resources, broadsheet, ...others } = value;
  ignore(others);
  const [license] = listOf(licenses).map((one) => {
    const { name, ...more } = membersOf(one);
    ignore(more, "licenses.");
    return name;
  });
  const readSource = (source) => {
    const { title, path: url, ...more } = membersOf(source);
    ignore(more, "sources.");
    return { title, url };
  };
  const files = listOf(resources).map((resource, n) =>
    readResource(membersOf(resource), n, { resources: listOf(resources), ignore }),
  );
  const payload = {
    ...{ title, summary, license, sources: sources && listOf(sources).map(readSource) },
    attachments: files.map(({ attachment }) => attachment),
    ...broadsheet,
  };
  return { payload, files, ignored: [...ignored] };
}

/** Where a member of the payload stands in its package. */
export function toPlace({ resources, broadsheet }, payload, field) {
  const [member, n, , list, m] = field;
  if (member in membersOf(broadsheet)) return ["broadsheet", ...field];
  // Columns that have nothing but a name are not in the payload, and count in the package.
  const column = list === "columns" ? payload.attachments[n]?.dictionary?.columns?.[m] : undefined;
  const at = column && listOf(resources?.[n]?.schema?.fields).findIndex((one) => one?.name === column.name);
  return field.flatMap((part, place) => (column && place === 4 ? at : (PLACES[part] ?? part)));
}

function readResource(resource, n, all) {
  const { name: _, title: __, path, description: notes, schema, dialect, encoding, ...rest } = resource;
  const { broadsheet = {}, ...others } = rest;
  const { table, ...more } = broadsheet;
  all.ignore(others, "resources.");
  const read = readSchema(membersOf(schema), resource, all);
  const attachment = { label: labelOf(resource), notes, dictionary: read && { table, ...read }, ...more };
  return { path, attachment, dialect: readDialect(dialect, encoding), field: ["resources", n, "path"] };
}

/** What a file is read by, null where it is read as it is. */
function readDialect(dialect, encoding) {
  const { $schema: _, ...named } = membersOf(dialect);
  if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding)) named.encoding = encoding;
  return Object.keys(named).length > 0 ? named : null;
}

function readSchema(schema, resource, { resources, ignore }) {
  const { missingValues, fields, primaryKey, foreignKeys, ...others } = schema;
  ignore(others, "schema.");
  const marks = toMarks(missingValues);
  const columns = listOf(fields)
    .map((field) => ({ references: findForeign(field?.name), ...readColumn(membersOf(field), ignore) }))
    .filter((column) => Object.values(column).filter((member) => member !== undefined).length > 1);
  for (const column of columns) if (marks.length > 0) column.missing_values ??= marks;
  if (primaryKey === undefined && columns.length === 0) return undefined;
  const primary_key = primaryKey && [primaryKey].flat();
  return { primary_key, columns: columns.length > 0 ? columns : undefined };

  /** The attachment and column that a foreign key of this one column names. */
  function findForeign(name) {
    const { reference } = listOf(foreignKeys).find((key) => [key?.fields].flat().join() === name) ?? {};
    const target = resources.find((one) => one?.name === reference?.resource) ?? resource;
    return reference && { label: labelOf(target), column: [reference.fields].flat()[0] };
  }
}

function readColumn({ missingValues, constraints, broadsheet, ...column }, ignore) {
  const { name, title, description, unit, categories: own, ...others } = column;
  const { required, unique, minimum, maximum, enum: values, ...rules } = membersOf(constraints);
  const categories = own ?? values;
  ignore(others, "fields.");
  ignore(rules, "constraints.");
  const toCategory = (one) => ({ ...(typeof one === "object" && one), value: `${one?.value ?? one}` });
  return {
    ...{ name, title, description, unit, required, unique, minimum, maximum },
    missing_values: missingValues && toMarks(missingValues),
    categories: categories && listOf(categories).map(toCategory),
    ...broadsheet,
  };
}
