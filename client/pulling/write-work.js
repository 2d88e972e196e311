import { posix } from "node:path";
import { HEADS, toSlug } from "../reading/read-folder.js";
import { toCanonical } from "../verify/proof.mjs";
import { isMap, parseDocument } from "../yaml.js";

/** What a disclosure says. */
export const SAID = "origin models tools prompt_sha256 human_review note";
const TO_YAML = /** @type {any} */ ({ lineWidth: 0, aliasDuplicateObjects: false });
/** What the types of an inspection are called in a Table Schema; others have one name in both. */
const TYPES = {
  ...{ text: { type: "string" }, date: { type: "date", format: "any" } },
  ...{ mixed: { type: "any" }, blank: { type: "any" } },
};
const MATTER = /^---[ \t]*\n([\s\S]*?\n)---[ \t]*\n/;
const FOUND = /"asset_id":\s*"(\w{26})",\s*"content_sha256":\s*"[0-9a-f]{64}"/g;

/** The members of these names. */
export const pick = (value, names) => Object.fromEntries(names.split(" ").map((name) => [name, value[name]]));

const isNothing = (value) => value == null || value === false || (Array.isArray(value) && value.length === 0);

/** The members without those that say nothing. */
export const withoutNothing = (members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isNothing(value)));

/** The same, undefined where none is left. */
export function orNothing(members) {
  const said = withoutNothing(members);
  return Object.keys(said).length > 0 ? said : undefined;
}

/** The file that says what a work is, with paths in place of ids; `readHere` gives the text of the one that it replaces. */
export function writeWork({ type, slug, path, payload, beside, files, from }, paths, readHere) {
  const head = HEADS[type];
  const at = head ? path : posix.dirname(path);
  const toPath = (id) => (paths.has(id) ? posix.relative(at, paths.get(id)) || "." : undefined);
  const toFile = (id) => {
    const found = Object.keys(from).find((file) => from[file].asset_id === id);
    return found && posix.relative(at, found);
  };
  const toReference = ({ creation_id, ...more }) => {
    const to = toPath(creation_id);
    return withoutNothing({ to, creation_id: to ? null : creation_id, ...more });
  };
  const toFigure = ({ from: { asset_id, content_sha256, ...question }, ...figure }) => {
    const file = toFile(asset_id);
    return {
      ...withoutNothing(figure),
      from: { ...(file ? { file } : { asset_id, content_sha256 }), ...question },
    };
  };
  const { body_markdown, attachments: _, show_preview = true, ...rest } = payload;
  const named = files.map((file) => ({ ...file, path: posix.relative(path, file.path) }));
  const members = {
    ...withoutNothing({
      ...(type === "brief" && { type }),
      ...rest,
      sources: rest.sources?.map(withoutNothing),
      references: rest.references?.map(toReference),
      entries: rest.entries?.map((id) => toPath(id) ?? id),
      figures: rest.figures?.map(toFigure),
      ...beside,
      attachments: type === "file" && named.map((file) => withoutNothing(pick(file, "path label notes"))),
    }),
    ...(!show_preview && { show_preview }),
  };
  if (type === "dataset") {
    const text = JSON.stringify(writePackage(slug, members, named), null, 2);
    return [{ path: posix.join(path, head), content: `${text}\n` }];
  }
  const file = posix.join(path, head ?? "");
  const before = readHere(file).replaceAll("\r\n", "\n");
  const yaml = writeYaml(members, MATTER.exec(before)?.[1] ?? before);
  const body = body_markdown?.replace(FOUND, (same, id) => (toFile(id) ? `"file": "${toFile(id)}"` : same));
  return [{ path: file, content: body ? `---\n${yaml}---\n${body}\n` : yaml }];
}

/** The YAML of these members, where it can be as it was written before, with the comments there. */
function writeYaml(members, before) {
  const written = parseDocument(before);
  const document = isMap(written.contents) && written.errors.length === 0 ? written : parseDocument("");
  const said = document.toJS() ?? {};
  rewrite(document, [], said, { ...pick(said, "slug"), ...members });
  return document.toString(TO_YAML);
}

/** Makes a part of a document say this, and leaves what says it already as it is written. */
function rewrite(document, path, said, value) {
  if (toCanonical(said) === toCanonical(value)) return;
  const areLists = [said, value].map((one) => Array.isArray(one) && one.length);
  const isAlike = areLists[0] === areLists[1] && Object(said) === said && Object(value) === value;
  if (!isAlike) return value === undefined ? document.deleteIn(path) : document.setIn(path, value);
  for (const name of Object.keys({ ...said, ...value }))
    rewrite(document, [...path, name], said[name], value[name]);
}

/** A Data Package 2.0 of a dataset: what readPackage reads back as the same payload. */
function writePackage(slug, /** @type {any} */ { title, summary, license, sources = [], ...rest }, files) {
  const names = files.map(({ path }) => toSlug(path.replace(/\..*$/, "")));
  const isPlain = sources.every(({ note }) => note === undefined);
  return withoutNothing({
    name: slug,
    title,
    description: summary,
    licenses: license && [{ name: license }],
    sources: isPlain && sources.map((source) => ({ title: source.title, path: source.url })),
    resources: files.map((file, n) => writeResource(file, names[n], { files, names })),
    broadsheet: orNothing({ ...rest, sources: isPlain ? null : sources }),
  });
}

function writeResource({ path, label: title, notes: description, dictionary, dialect, columns }, name, all) {
  const isList = Array.isArray(dictionary);
  const { table, ...said } = (isList ? null : dictionary) ?? {};
  const broadsheet = orNothing({ table, dictionary: isList && dictionary });
  const schema = writeSchema(said, columns, all);
  return withoutNothing({ name, path, title, description, dialect, schema, broadsheet });
}

function writeSchema({ primary_key: primaryKey, columns = [] }, inspected, { files, names }) {
  // A column of the key that the dictionary does not describe stays so.
  const named = columns.map(({ name }) => name).concat(primaryKey ?? []);
  const others = inspected.filter(({ name }) => !named.includes(name));
  const toForeign = ({ name, references: { label, column } }) => {
    const resource = names[files.findIndex((file) => file.label === label)];
    return { fields: [name], reference: { resource, fields: [column] } };
  };
  const foreignKeys = columns.filter(({ references }) => references).map(toForeign);
  const fields = [
    ...columns.map(writeField),
    ...others.map(({ name, type }) => ({ name, ...(TYPES[type] ?? { type }) })),
  ];
  return orNothing({ fields, primaryKey, foreignKeys });
}

function writeField({ required, unique, minimum, maximum, missing_values, references: _, ...column }) {
  const { name, title, description, unit, categories, ...broadsheet } = column;
  const constraints = orNothing({ required, unique, minimum, maximum });
  const said = { name, title, description, unit, missingValues: missing_values, categories, constraints };
  return withoutNothing({ ...said, broadsheet: orNothing(broadsheet) });
}
