import { posix } from "node:path";
import { isAlias, isMap, isSeq, parseDocument, visit } from "../yaml.js";
import { refuse } from "./faults.js";

const CHART = /^ {0,3}(`{3,}|~{3,})[ \t]*chart\b[^\n]*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm;
const CORE = /** @type {any} */ ({ version: "1.2", schema: "core", prettyErrors: false });
const TOO_MUCH = "Anchors, aliases, tags and merge keys are not read; write the value out.";
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const NOUNS = { work: "work", file: "file of a dataset or file creation" };
const listOf = (value) => (Array.isArray(value) ? value : []);
const QUOTE = '. Put a text with ": " in it, or a sign at its beginning, in quotes.';

/**
 * The members that a text of YAML 1.2 or JSON has, with the place of each.
 * @typedef {{ members: any, faults: { line: number, message: string }[], lineOf(path: (string | number)[]): number }} Source
 */

/**
 * Reads YAML, or JSON alone; `before` counts the lines of the file above the text.
 * @param {string} text
 * @returns {Source}
 */
export function readYaml(text, { isJson = false, before = 0 } = {}) {
  const document = parseDocument(text, CORE);
  const lineAt = (offset) => before + text.slice(0, offset ?? 0).split("\n").length;
  const lineOf = (path) => lineAt(findOffset(document.contents, path));
  const faults = document.errors.map(({ pos, code, message }) => {
    const isText = /^(BLOCK|BAD_SCALAR_START)/.test(code);
    return { line: lineAt(pos[0]), message: `${message}${isText ? QUOTE : ""}` };
  });
  visit(document, (key, node) => {
    const { anchor, tag, range, value } = /** @type {any} */ (node ?? {});
    const isSaid = tag && !/^tag:yaml\.org,2002:(map|seq)$/.test(tag);
    if (anchor || isSaid || isAlias(node) || (key === "key" && value === "<<"))
      faults.push({ line: lineAt(range?.[0]), message: TOO_MUCH });
  });
  try {
    if (isJson) JSON.parse(text);
  } catch (error) {
    faults.push({ line: 1, message: `This is no JSON: ${/** @type {Error} */ (error).message}` });
  }
  if (faults.length === 0 && !isMap(document.contents))
    faults.push({ line: lineOf([]), message: "Members must stand here, each as name: value." });
  return { faults, members: faults.length === 0 ? document.toJS() : null, lineOf };
}

/** Where the deepest part of a path stands that there is. */
function findOffset(node, path) {
  let offset = node?.range?.[0];
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined;
    const item = isSeq(node) ? node.items[Number(part)] : pair?.value;
    if (pair === undefined && item === undefined) break;
    offset = (pair?.key ?? item)?.range?.[0] ?? offset;
    node = item;
  }
  return offset;
}

/** Parts a text with front matter into that and its body, and counts the lines above the body; null where the matter has no end. */
export function splitText(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line, n) => n > 0 && line.trimEnd() === "---");
  const above = lines.findIndex((line, n) => n > end && line.trim() !== "");
  if (end < 0) return null;
  const source = readYaml(lines.slice(1, end).join("\n"), { before: 1 });
  const body = above < 0 ? "" : lines.slice(above).join("\n").trimEnd();
  return { source, body, above: above < 0 ? end : above };
}

/** The line of a body that a sentence names in the chart of a fence, by its line or its member; else that of the fence. */
export function findLine({ body_markdown: body = "" }, fence, sentence) {
  const [, line = 0, member = ""] =
    /^Chart [^:]*: (?:It is not JSON at line (\d+)|([\w.[\]]+))/.exec(sentence) ?? [];
  const [block] = `${body}`.split("\n").slice(fence).join("\n").split("\n```", 1);
  const path = member.split(/[.[\]]+/);
  const isThere = member !== "" && block.includes(`"${path[0]}"`);
  return isThere ? readYaml(block, { before: fence }).lineOf(path) : fence + Number(line);
}

/** The `"file": "…"` of `data.from` in the chart blocks of a body, and whether what is blank stands beside it. */
function findChartFiles(body) {
  return [...`${body}`.matchAll(CHART)].flatMap(({ 0: whole, 2: block, index }) => {
    const begin = index + whole.indexOf("\n") + 1;
    const from = parseDocument(block, CORE).getIn(["data", "from"]);
    const pair = isMap(from) ? from.items.find(({ key }) => `${key}` === "file") : undefined;
    const { key, value } = /** @type {any} */ (pair ?? {});
    if (typeof value?.value !== "string") return [];
    const start = begin + key.range[0];
    const line = body.slice(0, start).split("\n").length;
    return [{ start, end: begin + value.range[1], line, text: value.value, isOwn: from.has("blank") }];
  });
}

/** A path of the folder as one of its files has it; what leads out of it, or to a dot name, is not read. */
export function findInside(from, text) {
  const path = posix.join(posix.dirname(from), text).replace(/(?<=.)\/$/, "");
  const isOutside =
    posix.isAbsolute(text) || (path !== "." && path.split("/").some((part) => part.startsWith(".")));
  const message = `${text} leads out of the folder, or to a name that begins with a dot.`;
  return isOutside ? { code: "outside_folder", message } : { path };
}

/** What is named where a path or an address of this site belongs: one of these, or a reason against it. */
function readTarget({ site, works }, work, kind, text) {
  if (typeof text !== "string" || text === "")
    return { message: "A path or an address of this site must stand here." };
  if (text.startsWith(`${site}/`)) return { address: text.slice(site.length) };
  if (/^https?:\/\//i.test(text))
    return { code: "other_site", message: `${text} is not on ${site}; name it under sources.` };
  if (/^\/(@|media\/)/.test(text)) return { address: text };
  const target = findInside(work.file, text);
  if (kind === "work" && target.path === work.path) return { message: "A work cannot name itself." };
  const all = kind === "work" ? works : works.flatMap(({ files }) => files);
  if (target.code || all.some(({ path }) => path === target.path)) return target;
  return { code: "not_found", message: `There is no ${NOUNS[kind]} ${text} in this folder.` };
}

/** Finds what a work names in the folder or on the site, each with its field and line. */
export function addTargets(folder, work) {
  const add = (kind, field, text, line = work.lineOf(field)) => {
    const { message, ...target } = readTarget(folder, work, kind, text);
    const link = { kind, field, line, ...target };
    if (message) refuse(folder, work.file, message, link);
    work.links.push(link);
    return link;
  };
  const { references, entries, figures, body_markdown = "" } = work.payload;
  for (const [n, entry] of listOf(references).entries())
    if (entry?.to !== undefined) add("work", ["references", n, "to"], entry.to);
  for (const [n, entry] of listOf(entries).entries())
    if (!ULID.test(entry)) add("work", ["entries", n], entry);
  for (const [n, entry] of listOf(figures).entries())
    if (entry?.from?.file !== undefined) add("file", ["figures", n, "from", "file"], entry.from.file);
  for (const { line, text, ...place } of findChartFiles(body_markdown))
    work.charts.push({ ...place, link: add("file", ["body_markdown"], text, line + work.above) });
}

/** A payload with ids in place of paths; a work that `toId` gives no id for is not there yet, and is left out. */
export function bindPayload(work, toId, toFile) {
  const payload = structuredClone(work.payload);
  const leftOut = [];
  for (const link of work.links) {
    const [member, n] = link.field;
    const list = payload[member];
    if (member === "figures") list[n].from = { ...toFile(link), ...list[n].from, file: undefined };
    if (link.kind === "file") continue;
    const id = toId(link);
    if (id === null) leftOut.push(link.field.join("."));
    list[n] = id && (member === "entries" ? id : { ...list[n], to: undefined, creation_id: id });
  }
  for (const member of ["references", "entries"])
    if (Array.isArray(payload[member])) payload[member] = payload[member].filter((entry) => entry !== null);
  for (const { start, end, link, isOwn } of work.charts.toReversed()) {
    const { asset_id, content_sha256, blank } = toFile(link);
    const more = blank && !isOwn ? `, "blank": ${JSON.stringify(blank)}` : "";
    const from = `"asset_id": "${asset_id}", "content_sha256": "${content_sha256}"${more}`;
    payload.body_markdown = `${payload.body_markdown.slice(0, start)}${from}${payload.body_markdown.slice(end)}`;
  }
  return { payload, leftOut };
}
