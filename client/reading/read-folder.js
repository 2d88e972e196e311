import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { makeFault } from "./faults.js";
import { addTargets, findInside } from "./links.js";
import { readPackage, toPlace } from "./read-package.js";
import { hasFrontMatter, splitMembers, splitText, toLines } from "./read-text.js";
import { readYaml } from "./yaml-source.js";

const LEFT_ALONE = /^(readme|skill|agents|claude|changelog|contributing|license|security)\.md$/i;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const TABLE = /\.(csv|tsv|tab|jsonl|ndjson)(\.gz|\.zst)?$/i;
const ENDINGS = { ".collection.yml": "collection", ".project.yml": "external_project" };

/** The slug that a name would be. */
export const toSlug = (name) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/**
 * Reads all works of a folder, and every fault of it. Of a work, `path` names it, `file` is where its members stand, and
 * `above` counts the lines there above its body.
 */
export function readFolder(root, site) {
  const folder = { root, site, works: [], profile: null, faults: [], ignored: [], named: new Set() };
  const tables = walk(folder, ".", false);
  for (const path of tables.filter((table) => !folder.named.has(table))) refuseTable(folder, path);
  folder.works.forEach((work, n) => {
    const first = folder.works.slice(0, n).find(({ slug }) => slug === work.slug);
    const message = `${first?.path} and ${work.path} have one slug, ${work.slug}.`;
    if (first) refuse(folder, work.file, message, ["slug"], work.lineOf(["slug"]));
  });
  for (const work of folder.works) addTargets(folder, work, refuse);
  return folder;
}

/** Reads a folder and those below it; gives the tables that lie there. */
function walk(folder, at, isInWork) {
  const entries = readdirSync(join(folder.root, at), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const paths = entries.filter((entry) => entry.isFile()).map(({ name }) => posix.join(at, name));
  const [dataset, files] = ["datapackage.json", "files.yml"].map((name) => posix.join(at, name));
  if (!isInWork && paths.includes(dataset)) addDataset(folder, at, dataset);
  else if (!isInWork && paths.includes(files)) addMembers(folder, { path: at, file: files, type: "file" });
  else if (!isInWork) for (const path of paths) addFile(folder, path);
  const isWork = isInWork || paths.includes(dataset) || paths.includes(files);
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => posix.join(at, name));
  const tables = paths.filter((path) => isTable(folder, path));
  return [...tables, ...below.flatMap((path) => walk(folder, path, isWork))];
}

function isTable(folder, path) {
  if (TABLE.test(path)) return true;
  if (!/\.json$/i.test(path) || /^(broadsheet|datapackage|package)\.json$/.test(basename(path))) return false;
  return /^\s*\[\s*\{/.test(read(folder, path));
}

function addFile(folder, path) {
  const ending = Object.keys(ENDINGS).find((end) => path.endsWith(end));
  if (path === "profile.yml") folder.profile = readMembers(folder, path, readYaml(read(folder, path)));
  else if (ending !== undefined) addMembers(folder, { path, file: path, type: ENDINGS[ending], ending });
  else if (path.endsWith(".md") && !LEFT_ALONE.test(basename(path))) addText(folder, path);
}

function addText(folder, path) {
  const text = read(folder, path);
  if (!hasFrontMatter(text)) return;
  const { matter, body, above } = splitText(text);
  if (matter === null)
    return refuse(folder, path, "The front matter has no end; a line --- is missing.", [], 1);
  const found = readMembers(folder, path, matter);
  if (found === null) return;
  const { type = "story" } = found.members;
  if (type !== "story" && type !== "brief")
    refuse(folder, path, "The type of a text is story or brief.", ["type"], matter.lineOf(["type"]));
  const members = { ...found.members, body_markdown: body };
  add(folder, { path, file: path, type, name: basename(path, ".md"), members, above, lineOf: matter.lineOf });
}

function addMembers(folder, { path, file, type, ending = "" }) {
  const found = readMembers(folder, file, readYaml(read(folder, file)));
  if (found === null) return;
  const { attachments } = found.members;
  const isFiles = type === "file" && Array.isArray(attachments);
  const files = isFiles
    ? attachments.map((one, n) => ({ ...one, dialect: null, at: ["attachments", n, "path"] }))
    : [];
  if (isFiles) found.members.attachments = attachments.map(({ path: _, ...rest }) => rest);
  add(folder, { path, file, type, name: nameOf(folder, path, ending), ...found, files });
}

const nameOf = ({ root }, path, ending) => basename(path === "." ? resolve(root) : path, ending);

function addDataset(folder, path, file) {
  const text = read(folder, file);
  const found = readMembers(folder, file, readYaml(text), text);
  if (found === null) return;
  const { payload, files, ignored } = readPackage(found.members);
  folder.ignored.push(...ignored.map((member) => ({ path: file, member })));
  const members = { slug: found.members.name, ...payload };
  const lineOf = (field) => found.lineOf(toPlace(found.members, payload, field));
  add(folder, { path, file, type: "dataset", name: nameOf(folder, path, ""), members, files, lineOf });
}

/** The members of a file with their lines, null where it has none that can be read. */
function readMembers(folder, file, { value, faults, lineOf }, json = "{}") {
  for (const { line, message } of faults.slice(0, 5)) refuse(folder, file, message, [], line);
  if (faults.length > 0) return null;
  try {
    JSON.parse(json);
    if (Object(value) === value && !Array.isArray(value)) return { members: value, lineOf };
    refuse(folder, file, "Members must stand here, each as name: value.", [], lineOf([]));
  } catch (error) {
    refuse(folder, file, `This is no JSON: ${/** @type {Error} */ (error).message}`, [], 1);
  }
  return null;
}

const read = ({ root }, path) => toLines(readFileSync(join(root, path), "utf8"));

/** Notes a fault of the folder. */
function refuse(folder, path, message, field = [], line = null, code = "validation_failed", hint = null) {
  folder.faults.push(makeFault({ path, line, field: field.join(".") || null, code, message, hint }));
}

function add(folder, { path, file, type, name, members, lineOf, above = 0, files = [] }) {
  const { beside, payload } = splitMembers(members);
  const slug = `${beside.slug ?? name}`;
  const work = { path, file, type, slug, payload, beside, above, links: [], charts: [], lineOf, files: [] };
  const message = `"${slug}" is no slug; call it ${toSlug(slug)}.`;
  if (!SLUG.test(slug)) refuse(folder, file, message, ["slug"], lineOf(["slug"]));
  work.files = files.flatMap((entry, n) => findFile(folder, work, entry, n));
  folder.works.push(work);
}

/** The file of an attachment on the disk, with a fault where none can be sent. */
function findFile(folder, { file, lineOf, type }, { path, asset_id, dialect, at }, n) {
  if (path === undefined && asset_id !== undefined) return [];
  const line = lineOf(["attachments", n, type === "file" ? "path" : "asset_id"]);
  const isPath = typeof path === "string" && !/^[a-z]+:\/\//i.test(path);
  const found = isPath
    ? findInside(file, path)
    : { message: "The path of one file in this folder must stand here." };
  if (found.message !== undefined) refuse(folder, file, found.message, at, line, found.code);
  else if (!isPlainFile(folder.root, found.path))
    refuse(folder, file, `There is no file ${path} here.`, at, line, "not_found");
  else {
    folder.named.add(found.path);
    return [{ path: found.path, dialect, at: n }];
  }
  return [];
}

/** Whether a path leads to a file, and over no symbolic link. */
function isPlainFile(root, path) {
  const steps = path
    .split("/")
    .map((_, n, all) => lstatSync(join(root, ...all.slice(0, n + 1)), { throwIfNoEntry: false }));
  return steps.at(-1)?.isFile() === true && !steps.some((step) => step?.isSymbolicLink());
}

function refuseTable(folder, path) {
  const at = posix.dirname(path);
  const line = {
    title: "…",
    resources: [{ name: basename(path).replace(/\..*$/, ""), path: basename(path) }],
  };
  const hint = `Write this into ${posix.join(at, "datapackage.json")}: ${JSON.stringify(line)}`;
  refuse(
    folder,
    path,
    `No datapackage.json of the folder ${at} names ${path}.`,
    [],
    null,
    "not_in_a_package",
    hint,
  );
}
