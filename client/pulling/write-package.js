/** The members without those that say nothing. */
export const withoutNothing = (members) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value != null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** A Data Package 2.0 of a dataset: what readPackage reads back as the same payload. */
export function writePackage({ slug, payload, beside, files }) {
  const { title, summary, license, sources = [], attachments: _, show_preview, ...rest } = payload;
  const names = files.map(
    ({ path }, n) =>
      path
        .replace(/\..*$/, "")
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, "-") || `file-${n + 1}`,
  );
  const plain = sources.every(({ note }) => note == null);
  const more = {
    ...rest,
    ...beside,
    ...(show_preview === false && { show_preview }),
    ...(!plain && { sources }),
  };
  return withoutNothing({
    name: slug,
    title,
    description: summary,
    licenses: license && [{ name: license }],
    sources: plain && sources.map(({ title: called, url }) => ({ title: called, path: url })),
    resources: files.map((file, n) => writeResource(file, names[n], { files, names })),
    broadsheet: orNothing(withoutNothing(more)),
  });
}

const orNothing = (members) => (Object.keys(members).length > 0 ? members : null);

function writeResource({ path, label, notes, dictionary, dialect, columns }, name, all) {
  const isList = Array.isArray(dictionary);
  const { table, ...said } = isList ? {} : (dictionary ?? {});
  return withoutNothing({
    name,
    path,
    title: label,
    description: notes,
    dialect,
    schema: orNothing(writeSchema(said, columns ?? [], all)),
    broadsheet: orNothing(withoutNothing({ table, dictionary: isList ? dictionary : null })),
  });
}

function writeSchema({ primary_key: primaryKey, columns = [] }, inspected, { files, names }) {
  const others = inspected.filter(({ name }) => !columns.some((column) => column.name === name));
  const foreign = columns.filter(({ references }) => references != null);
  return withoutNothing({
    fields: [...columns.map(writeField), ...others.map(({ name }) => ({ name }))],
    primaryKey,
    foreignKeys: foreign.map(({ name, references: { label, column } }) => {
      const resource = names[files.findIndex((file) => file.label === label)];
      return { fields: [name], reference: { resource, fields: [column] } };
    }),
  });
}

function writeField({
  name,
  title,
  description,
  unit,
  missing_values,
  categories,
  references: _,
  ...column
}) {
  const { required, unique, minimum, maximum, ...broadsheet } = column;
  const constraints = orNothing(withoutNothing({ required, unique, minimum, maximum }));
  const own = { constraints, broadsheet: orNothing(withoutNothing(broadsheet)) };
  return withoutNothing({
    name,
    title,
    description,
    unit,
    missingValues: missing_values,
    categories,
    ...own,
  });
}
