const ABOUT = ["$schema", "profile", "type", "format", "mediatype", "bytes", "hash"];
/** Where members of the payload, and of its lists, stand under another name. */
const PLACES = {
  slug: "name",
  summary: "description",
  notes: "description",
  label: "title",
  license: ["licenses", 0, "name"],
  attachments: "resources",
  asset_id: "path",
  url: "path",
  dictionary: "schema",
  primary_key: "primaryKey",
  columns: "fields",
  missing_values: "missingValues",
  required: ["constraints", "required"],
  unique: ["constraints", "unique"],
  minimum: ["constraints", "minimum"],
  maximum: ["constraints", "maximum"],
};

const isMembers = (value) => Object(value) === value && !Array.isArray(value);
const labelOf = (resource) => resource.title ?? resource.name;
const isSaid = (members) => Object.values(members).some((value) => value !== undefined);

/** Reads the parts of a package; a part of another form, and a member that nobody takes, is told once. */
function openReader() {
  const ignored = new Set();
  const take = (value, isTaken, where, otherwise) => {
    if (!isTaken && value != null) ignored.add(where);
    return isTaken ? value : otherwise;
  };
  return {
    ignored,
    list: (value, where) => take(value, Array.isArray(value), where, []),
    members: (value, where) => take(value, isMembers(value), where, {}),
    ignore(others, where = "") {
      for (const name of Object.keys(others)) if (!ABOUT.includes(name)) ignored.add(where + name);
    },
  };
}

/** Reads a Data Package 2.0 as the payload of a dataset, with its files and the members that no payload has. */
export function readPackage(value) {
  const reader = openReader();
  const { name: _, title, description: summary, licenses, sources, resources, broadsheet, ...others } = value;
  reader.ignore(others);
  const [license, another] = reader.list(licenses, "licenses").map((one) => {
    const { name, ...more } = reader.members(one, "licenses");
    reader.ignore(more, "licenses.");
    return name;
  });
  if (another !== undefined) reader.ignore({ 1: another }, "licenses.");
  const readSource = (source) => {
    const { title, path: url, ...more } = reader.members(source, "sources");
    reader.ignore(more, "sources.");
    return { title, url };
  };
  const all = reader.list(resources, "resources").map((one) => reader.members(one, "resources"));
  const files = all.map((resource, n) => readResource(resource, n, { all, reader }));
  const payload = {
    ...{ title, summary, license, sources: sources && reader.list(sources, "sources").map(readSource) },
    ...reader.members(broadsheet, "broadsheet"),
    attachments: files.map(({ attachment }) => attachment),
  };
  return { payload, files, ignored: [...reader.ignored] };
}

/** Where a member of the payload stands in its package. */
export function toPlace({ resources, broadsheet }, payload, field) {
  const [member, n, , list, m, part] = field;
  if (isMembers(broadsheet) && member in broadsheet) return ["broadsheet", ...field];
  const column = list === "columns" ? payload.attachments[n]?.dictionary?.columns?.[m] : undefined;
  // Columns that have nothing but a name are not in the payload, and count in the package.
  const fields = column && resources[n].schema?.fields;
  const at = Array.isArray(fields) ? fields.findIndex((one) => one?.name === column.name) : m;
  const isOfAll = part === "missing_values" && fields?.[at]?.missingValues === undefined;
  if (isOfAll) return ["resources", n, "schema", "missingValues"];
  return field.flatMap((one, place) => (column && place === 4 ? at : (PLACES[one] ?? one)));
}

function readResource(resource, n, { all, reader }) {
  const { name: _, title: __, path, description: notes, schema, dialect, encoding, ...rest } = resource;
  const { broadsheet, ...others } = rest;
  const { table, ...more } = reader.members(broadsheet, "resources.broadsheet");
  reader.ignore(others, "resources.");
  const read = {
    table,
    ...readSchema(reader.members(schema, "resources.schema"), resource, { all, reader }),
  };
  const attachment = {
    label: labelOf(resource),
    notes,
    dictionary: isSaid(read) ? read : undefined,
    ...more,
  };
  const named = readDialect(reader.members(dialect, "resources.dialect"), encoding);
  return { path, attachment, dialect: named, field: ["resources", n, "path"] };
}

/** What a file is read by, null where it is read as it is. */
function readDialect({ $schema: _, ...named }, encoding) {
  if (encoding != null && !/^utf-?8$/i.test(encoding)) named.encoding = encoding;
  return Object.keys(named).length > 0 ? named : null;
}

function readSchema(
  { missingValues, fields, primaryKey, foreignKeys, ...others },
  resource,
  { all, reader },
) {
  reader.ignore(others, "schema.");
  const marks = readMarks(missingValues, "schema.", reader);
  const keys = reader.list(foreignKeys, "schema.foreignKeys").map(readKey);
  const columns = reader.list(fields, "schema.fields").map((one) => {
    const column = readColumn(reader.members(one, "schema.fields"), reader);
    if (marks.length > 0) column.missing_values ??= marks;
    return { references: keys.find(({ name }) => name === column.name)?.references, ...column };
  });
  const isTaken = ({ references: own }) => own && columns.some(({ references }) => references === own);
  if (!keys.every(isTaken)) reader.ignore({ foreignKeys }, "schema.");
  if (marks.length > 0 && columns.length === 0) reader.ignore({ missingValues }, "schema.");
  const primary_key = primaryKey && [primaryKey].flat();
  const described = columns.filter(({ name, ...one }) => isSaid(one) || primary_key?.includes(name));
  return { primary_key, columns: described.length > 0 ? described : undefined };

  /** The column of a foreign key of one, with the attachment and the column that it names. */
  function readKey(key) {
    const { fields: named, reference } = reader.members(key, "schema.foreignKeys");
    const [name, ...more] = [named].flat();
    if (more.length > 0 || !isMembers(reference)) return {};
    const { resource: other, fields: asked } = reference;
    const [column, ...further] = [asked].flat();
    if (further.length > 0) return {};
    // Where it names none, the resource is this one.
    const target = other ? (all.find((one) => one.name === other) ?? { name: other }) : resource;
    return { name, references: { label: labelOf(target), column } };
  }
}

/** The values that stand for a blank cell, which needs none. */
function readMarks(values, where, reader) {
  return reader.list(values, `${where}missingValues`).flatMap((mark) => {
    const { value, ...more } = isMembers(mark) ? mark : { value: mark };
    reader.ignore(more, `${where}missingValues.`);
    return value === "" ? [] : [value];
  });
}

function readColumn({ missingValues, constraints, broadsheet, ...column }, reader) {
  const { name, title, description, unit, categories: own, ...others } = column;
  const rules = reader.members(constraints, "fields.constraints");
  const { required, unique, minimum, maximum, enum: values, ...more } = rules;
  const categories = own ?? values;
  reader.ignore(others, "fields.");
  reader.ignore(more, "constraints.");
  const toCategory = (one) => {
    const about = isMembers(one) ? one : { value: one };
    const { value } = about;
    return { ...about, value: /number|boolean/.test(typeof value) ? `${value}` : value };
  };
  return {
    ...{ name, title, description, unit, required, unique, minimum, maximum },
    missing_values: missingValues && readMarks(missingValues, "fields.", reader),
    categories: categories && reader.list(categories, "fields.categories").map(toCategory),
    ...reader.members(broadsheet, "fields.broadsheet"),
  };
}
