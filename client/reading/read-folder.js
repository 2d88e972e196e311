import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { refuse } from "./faults.js";
import { readPackage, toPlace } from "./read-package.js";
import { addTargets, findInside, readYaml, splitText } from "./read-text.js";

const LEFT_ALONE = /^(readme|skill|agents|claude|changelog|contributing|license|security)\.md$/i;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The ending of a name of a table; JSON is one where it begins as a list of objects. */
export const TABLE = /\.(csv|tsv|tab|json|jsonl|ndjson)(\.gz|\.zst)?$/i;
/** The file of a folder that says what the folder is. */
export const HEADS = { dataset: "datapackage.json", file: "files.yml" };
/** What the name of a file that is a work ends with; a brief is a text as a story is. */
export const ENDINGS = { collection: ".collection.yml", external_project: ".project.yml", story: ".md" };

/** The slug that a name would be. */
export function toSlug(name) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[a-z0-9]+/g)?.join("-") ?? "";
}

/** A folder of which nothing was read yet. */
export const openFolder = (root, site) => ({
  ...{ root, site, paths: new Set(), works: [], profile: null, faults: [], ignored: [] },
});

/** Reads a folder with all its faults. A work's `file` has its members; `above` counts the lines there above its body. */
export function readFolder(root, { site, line }) {
  const folder = openFolder(root, site);
  walk(folder, ".", false);
  for (const work of folder.works)
    work.files = work.files.flatMap((file, n) => findFile(folder, work, file, n));
  const named = new Set(folder.works.flatMap(({ files }) => files.map(({ path }) => path)));
  for (const path of folder.paths)
    if (!named.has(path) && isTable(folder, path)) refuseTable(folder, path, `${line} init ${root}`);
  for (const work of folder.works) {
    const first = folder.works.find(({ slug }) => slug === work.slug);
    const message = `${first.path} and ${work.path} have one slug, ${work.slug}.`;
    if (first !== work) refuse(folder, work.file, message, { field: "slug", line: work.lineOf(["slug"]) });
    addTargets(folder, work);
  }
  return folder;
}

/** Reads the works of a folder and of those below it, and notes all its files. */
function walk(folder, at, isInWork) {
  const entries = readdirSync(join(folder.root, at), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const paths = entries.filter((entry) => entry.isFile()).map(({ name }) => posix.join(at, name));
  const heads = Object.values(HEADS).map((name) => posix.join(at, name));
  const head = heads.find((path) => paths.includes(path));
  for (const path of paths) folder.paths.add(path);
  if (!isInWork) for (const path of head ? [head] : paths) addFile(folder, path);
  for (const entry of entries.filter((one) => one.isDirectory()))
    walk(folder, posix.join(at, entry.name), isInWork || head !== undefined);
}

function isTable(folder, path) {
  if (!TABLE.test(path) || /^(broadsheet|datapackage|package)\.json$/.test(basename(path))) return false;
  return !/\.json(\.\w+)?$/i.test(path) || /^\s*\[\s*\{/.test(read(folder, path));
}

function addFile(folder, path) {
  const [name, at] = [basename(path), posix.dirname(path)];
  const [type, ending] = Object.entries(ENDINGS).find(([, end]) => name.endsWith(end)) ?? [];
  if (path === "profile.yml") folder.profile = readMembers(folder, path);
  else if (name === HEADS.dataset) addDataset(folder, at, path);
  else if (name === HEADS.file) addFiles(folder, at, path);
  else if (type === "story") addText(folder, path, ending);
  else if (type) {
    const source = readMembers(folder, path);
    if (source) addWork(folder, { path, type, ending, source });
  }
}

function addText(folder, path, ending) {
  const text = read(folder, path);
  if (LEFT_ALONE.test(basename(path)) || !/^---[ \t]*\n/.test(text)) return;
  const parts = splitText(text);
  if (parts === null)
    return refuse(folder, path, "The front matter has no end; a line --- is missing.", { line: 1 });
  const source = readMembers(folder, path, parts.source);
  if (source === null) return;
  const { type = "story" } = source.members;
  const members = { ...source.members, body_markdown: parts.body };
  addWork(folder, { path, type, ending, source, members, above: parts.above });
}

function addFiles(folder, path, file) {
  const source = readMembers(folder, file);
  const { attachments } = source?.members ?? {};
  const isList = Array.isArray(attachments);
  const files = isList ? attachments.map((one, n) => ({ ...one, field: ["attachments", n, "path"] })) : [];
  if (isList) source.members.attachments = attachments.map((one) => ({ ...one, path: undefined }));
  if (source) addWork(folder, { path, file, type: "file", source, files });
}

function addDataset(folder, path, file) {
  const source = readMembers(folder, file);
  if (source === null) return;
  const { payload, files, ignored } = readPackage(source.members);
  folder.ignored.push(...ignored.map((member) => ({ path: file, member })));
  const members = { slug: source.members.name, ...payload };
  const lineOf = (field) => source.lineOf(toPlace(source.members, payload, field));
  addWork(folder, { path, file, type: "dataset", source, members, files, lineOf });
}

/** The members of a file with their lines, null where it has none that can be read. */
function readMembers(folder, path, given = null) {
  const source = given ?? readYaml(read(folder, path), { isJson: path.endsWith(".json") });
  const isText = isUtf8(readFileSync(join(folder.root, path)));
  const faults = isText ? source.faults.slice(0, 5) : [{ message: "This is not UTF-8; save it as UTF-8." }];
  for (const { message, ...place } of faults) refuse(folder, path, message, place);
  return faults.length === 0 ? source : null;
}

/** A text with LF alone and no byte order mark. */
const read = ({ root }, path) =>
  readFileSync(join(root, path), "utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n/g, "\n");

/** Adds a work: the members of its payload, and those that stand beside a payload. */
export function addWork(folder, { path, file = path, type, ending = "", source, ...given }) {
  const { members = source.members, lineOf = source.lineOf, above = 0, files = [] } = given;
  const { type: _, slug: named, section, visibility, disclosure, ...more } = members;
  const slug = `${named ?? basename(path === "." ? resolve(folder.root) : path, ending)}`;
  const { change_summary, minor, correction, schedule, ...payload } = more;
  const beside = { section, visibility, disclosure, change_summary, minor, correction, schedule };
  const message = `"${slug}" is no slug; call it ${toSlug(slug) || "by letters of a to z"}.`;
  if (!SLUG.test(slug)) refuse(folder, file, message, { field: "slug", line: lineOf(["slug"]) });
  const found = { links: [], charts: [], files, source, lineOf };
  folder.works.push({ path, file, type, slug, payload, beside, above, ...found });
}

/** The file of an attachment on the disk, with a fault where none can be sent. */
function findFile(folder, { file, source }, { path, asset_id, dialect = null, field }, n) {
  if (path === undefined && asset_id !== undefined) return [];
  const isPath = typeof path === "string" && !/^[a-z]+:\/\//i.test(path);
  const other = {
    code: "validation_failed",
    message: "The path of one file in this folder must stand here.",
  };
  const found = isPath ? findInside(file, path) : other;
  if (folder.paths.has(found.path)) return [{ path: found.path, dialect, at: n }];
  const { code = "not_found", message = `There is no file ${path} here.` } = found;
  refuse(folder, file, message, { code, field, line: source.lineOf(field) });
  return [];
}

/** The file that says what is in the folder of a path and in those below it; the uppermost says it alone. */
export function findHead({ paths }, path) {
  const at = posix.dirname(path);
  const heads = Object.values(HEADS).map((name) => posix.join(at, name));
  const above = at === "." ? undefined : findHead({ paths }, at);
  return above ?? heads.find((one) => paths.has(one));
}

/** Why a file is no work, for somebody who has none. */
export function describeOther(path) {
  if (LEFT_ALONE.test(basename(path))) return `${path} is never published`;
  const isText = path.endsWith(ENDINGS.story);
  return `${path} ${isText ? "has no front matter" : "is in no datapackage.json or files.yml"}`;
}

function refuseTable(folder, path, line) {
  const head = findHead(folder, path);
  const hint = head ? `Name it in ${head}; nothing else is a work there.` : `This writes one: ${line}`;
  const message = `No datapackage.json of the folder ${posix.dirname(path)} names ${path}.`;
  refuse(folder, path, message, { code: "not_in_a_package", hint });
}
