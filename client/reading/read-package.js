const ABOUT = ["$schema", "profile", "type", "format", "mediatype", "bytes", "hash"];
const RULES = ["required", "unique", "minimum", "maximum"];
const TAKEN = {
  package: ["name", "title", "description", "licenses", "sources", "resources", "broadsheet"],
  licenses: ["name"],
  sources: ["title", "path"],
  resources: ["name", "path", "title", "description", "schema", "dialect", "encoding", "broadsheet"],
  schema: ["fields", "primaryKey", "missingValues", "foreignKeys"],
  fields: [
    "name",
    "title",
    "description",
    "unit",
    "missingValues",
    "categories",
    "constraints",
    "broadsheet",
  ],
  constraints: [...RULES, "enum"],
};
/** Members of the payload, and of its lists, that have another name in a package. */
const NAMES = { summary: "description", notes: "description", label: "title", asset_id: "path", url: "path" };

const listOf = (value) => (Array.isArray(value) ? value : []);
const labelOf = (resource) => resource?.title ?? resource?.name;
const withoutUnset = (value) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
const toMarks = (values) => listOf(values).flatMap((mark) => (mark?.value ?? mark) || []);

/** Reads a Data Package 2.0 as the payload of a dataset, with its files and the members that no payload has. */
export function readPackage(value) {
  const { title, description: summary, licenses, sources, resources, broadsheet } = value;
  const files = listOf(resources).map((resource, n) => readResource(Object(resource), n, listOf(resources)));
  const toSource = (source) => withoutUnset({ title: source?.title, url: source?.path });
  const payload = withoutUnset({
    ...{ title, summary, license: listOf(licenses)[0]?.name },
    sources: sources && listOf(sources).map(toSource),
    attachments: files.map(({ attachment }) => attachment),
    ...broadsheet,
  });
  return { payload, files, ignored: listIgnored(value) };
}

/** Every member that is neither taken nor only about the file, once. */
function listIgnored(value) {
  const fields = listOf(value.resources).flatMap((resource) => listOf(resource?.schema?.fields));
  const schemas = listOf(value.resources).map((resource) => resource?.schema);
  const parts = {
    package: [value],
    schema: schemas,
    fields,
    constraints: fields.map((field) => field?.constraints),
  };
  for (const name of ["licenses", "sources", "resources"]) parts[name] = listOf(value[name]);
  const names = Object.entries(parts).flatMap(([what, list]) => {
    const members = list.flatMap((part) => (typeof part === "object" ? Object.keys(part ?? {}) : []));
    const others = members.filter((name) => ![...TAKEN[what], ...ABOUT].includes(name));
    return others.map((name) => (what === "package" ? name : `${what}.${name}`));
  });
  return [...new Set(names)];
}

/** Where a member of the payload stands in its package. */
export function toPlace({ resources, broadsheet }, /** @type {any} */ { attachments }, [member, n, ...rest]) {
  const [inner, ...below] = rest;
  if (member === "license") return ["licenses", 0, "name"];
  if (member in Object(broadsheet))
    return ["broadsheet", member, n, ...rest].filter((part) => part !== undefined);
  if (member !== "attachments") return [NAMES[member] ?? member, n, NAMES[inner] ?? inner];
  const [at, dictionary] = [["resources", n], attachments[n]?.dictionary];
  if (inner !== "dictionary")
    return [...at, inner === "label" && !resources[n]?.title ? "name" : (NAMES[inner] ?? inner)];
  if (below[0] !== "columns") return [...at, "schema", "primaryKey"];
  const [, m, rule] = below;
  const f = listOf(resources[n]?.schema?.fields).findIndex(
    (field) => field?.name === dictionary?.columns?.[m]?.name,
  );
  return [...at, "schema", "fields", f, ...(RULES.includes(rule) ? ["constraints", rule] : [rule])];
}

function readResource(resource, n, resources) {
  const { path, description: notes, schema, dialect, encoding, broadsheet = {} } = resource;
  const { table, ...more } = broadsheet;
  const read = readSchema(Object(schema), resource, resources);
  const dictionary = read && withoutUnset({ table, ...read });
  const attachment = withoutUnset({ label: labelOf(resource), notes, dictionary, ...more });
  return { path, attachment, dialect: readDialect(dialect, encoding), at: ["resources", n, "path"] };
}

/** What a file is read by, null where it is read as it is. */
function readDialect(dialect, encoding) {
  const { $schema: _, ...named } = Object(dialect);
  if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding)) named.encoding = encoding;
  return Object.keys(named).length > 0 ? named : null;
}

function readSchema({ missingValues, fields, primaryKey, foreignKeys }, resource, resources) {
  const marks = toMarks(missingValues);
  const all = listOf(fields).map((field) => readColumn(Object(field), findForeign(foreignKeys, field?.name)));
  const columns = all.filter((column) => Object.keys(column).length > 1);
  for (const column of columns) if (marks.length > 0) column.missing_values ??= marks;
  if (primaryKey === undefined && columns.length === 0) return undefined;
  const primary_key = primaryKey && [primaryKey].flat();
  return withoutUnset({ primary_key, columns: columns.length > 0 ? columns : undefined });

  /** The attachment and column that a foreign key of this one column names. */
  function findForeign(keys, name) {
    const key = listOf(keys).find((one) => [one?.fields].flat().join() === name);
    if (key === undefined) return undefined;
    const target = resources.find((one) => one?.name === key.reference?.resource) ?? resource;
    return { label: labelOf(target), column: [key.reference?.fields].flat()[0] };
  }
}

function readColumn(
  /** @type {any} */ { missingValues, constraints = {}, broadsheet, ...column },
  references,
) {
  const { name, title, description, unit, categories = constraints.enum } = column;
  const toCategory = (one) => ({ ...(typeof one === "object" && one), value: `${one?.value ?? one}` });
  return withoutUnset({
    ...{ name, title, description, unit, references },
    missing_values: missingValues && toMarks(missingValues),
    categories: categories && listOf(categories).map(toCategory),
    ...Object.fromEntries(RULES.map((rule) => [rule, constraints[rule]])),
    ...broadsheet,
  });
}
