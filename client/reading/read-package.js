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

const listOf = (value) => (Array.isArray(value) ? value : []);
const labelOf = (resource) => resource?.title ?? resource?.name;
const withoutUnset = (value) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
const toMarks = (values) => listOf(values).flatMap((mark) => (mark?.value ?? mark) || []);

/**
 * Reads a Data Package 2.0 as the payload of a dataset. `places` says of members of the payload where they stand in the
 * package; `files` are its attachments, `ignored` the members that the payload has not.
 */
export function readPackage(value) {
  const ignored = new Set();
  const ignore = (what, member) => {
    const prefix = what === "package" ? "" : `${what}.`;
    for (const name of Object.keys(Object(member)))
      if (![...TAKEN[what], ...ABOUT].includes(name)) ignored.add(`${prefix}${name}`);
  };
  ignore("package", value);
  for (const what of ["licenses", "sources", "resources"])
    for (const one of listOf(value[what])) ignore(what, one);
  const { title, description: summary, licenses, sources, resources, broadsheet = {} } = value;
  const places = [
    { field: ["summary"], at: ["description"] },
    { field: ["license"], at: ["licenses", 0, "name"] },
    ...Object.keys(broadsheet).map((member) => ({ field: [member], at: ["broadsheet", member] })),
    ...listOf(sources).map((_, n) => ({ field: ["sources", n, "url"], at: ["sources", n, "path"] })),
  ];
  const files = listOf(resources).map((resource, n) =>
    readResource(Object(resource), n, { places, ignore, resources }),
  );
  const payload = withoutUnset({
    title,
    summary,
    license: listOf(licenses)[0]?.name,
    sources:
      sources && listOf(sources).map((source) => withoutUnset({ title: source?.title, url: source?.path })),
    attachments: files.map(({ attachment }) => attachment),
    ...broadsheet,
  });
  return { payload, files, places, ignored: [...ignored] };
}

function readResource(resource, n, reading) {
  const [at, field] = [
    ["resources", n],
    ["attachments", n],
  ];
  const { path, description: notes, schema, dialect, encoding, broadsheet = {} } = resource;
  const { table, ...more } = broadsheet;
  reading.places.push(
    { field, at },
    { field: [...field, "asset_id"], at: [...at, "path"] },
    { field: [...field, "label"], at: [...at, resource.title === undefined ? "name" : "title"] },
    { field: [...field, "notes"], at: [...at, "description"] },
  );
  const places = { at: [...at, "schema"], field: [...field, "dictionary"] };
  const dictionary = readSchema(Object(schema), places, reading);
  const attachment = withoutUnset({
    label: labelOf(resource),
    notes,
    dictionary: dictionary && withoutUnset({ table, ...dictionary }),
    ...more,
  });
  return { path, attachment, dialect: readDialect(dialect, encoding), at: [...at, "path"] };
}

/** What a file is read by, null where it is read as it is. */
function readDialect(dialect, encoding) {
  const { $schema: _, ...named } = Object(dialect);
  if (typeof encoding === "string" && !/^utf-?8$/i.test(encoding)) named.encoding = encoding;
  return Object.keys(named).length > 0 ? named : null;
}

function readSchema(schema, { at, field }, { places, ignore, resources }) {
  ignore("schema", schema);
  const marks = toMarks(schema.missingValues);
  const columns = [];
  listOf(schema.fields).forEach((sent, n) => {
    ignore("fields", sent);
    ignore("constraints", sent?.constraints);
    const column = readColumn(Object(sent), findForeign(schema, sent?.name, resources));
    if (Object.keys(column).length < 2) return;
    if (marks.length > 0) column.missing_values ??= marks;
    const place = { field: [...field, "columns", columns.length], at: [...at, "fields", n] };
    const ofRule = (rule) => ({ field: [...place.field, rule], at: [...place.at, "constraints", rule] });
    places.push(place, ...RULES.filter((rule) => rule in Object(sent?.constraints)).map(ofRule));
    columns.push(column);
  });
  const { primaryKey: key } = schema;
  places.push({ field: [...field, "primary_key"], at: [...at, "primaryKey"] });
  if (key === undefined && columns.length === 0) return undefined;
  return withoutUnset({
    primary_key: key && [key].flat(),
    columns: columns.length > 0 ? columns : undefined,
  });
}

function readColumn(
  /** @type {any} */ { missingValues, constraints = {}, broadsheet, ...column },
  references,
) {
  const { name, title, description, unit, categories = constraints.enum } = column;
  const toCategory = (one) =>
    typeof one === "object" ? { ...one, value: `${one?.value}` } : { value: `${one}` };
  return withoutUnset({
    ...{ name, title, description, unit },
    missing_values: missingValues && toMarks(missingValues),
    categories: categories && listOf(categories).map(toCategory),
    ...Object.fromEntries(RULES.map((rule) => [rule, constraints[rule]])),
    references,
    ...broadsheet,
  });
}

/** The attachment and column that a foreign key of this one column names. */
function findForeign({ foreignKeys, fields }, name, resources) {
  const key = listOf(foreignKeys).find((one) => [one?.fields].flat().join() === name);
  if (key === undefined) return undefined;
  const isTarget = (one) => one?.name === key.reference?.resource;
  const own = resources.find((one) => one?.schema?.fields === fields);
  const label = labelOf(resources.find(isTarget) ?? own) ?? key.reference?.resource;
  return { label, column: [key.reference?.fields].flat()[0] };
}
