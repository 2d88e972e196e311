import { posix } from "node:path";
import { refuse } from "./faults.js";
import { findChartFiles } from "./read-text.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const NOUNS = { work: "work", file: "file of a dataset or file creation" };
const listOf = (value) => (Array.isArray(value) ? value : []);

/** A path of the folder as one of its files has it; what leads out of it, or to a dot name, is not read. */
export function findInside(from, text) {
  const path = posix.join(posix.dirname(from), text).replace(/(?<=.)\/$/, "");
  const isOutside =
    posix.isAbsolute(text) || (path !== "." && path.split("/").some((part) => part.startsWith(".")));
  const message = `${text} leads out of the folder, or to a name that begins with a dot.`;
  return isOutside ? { code: "outside_folder", message } : { path };
}

/** What is named where a path or an address of this site belongs: one of these, or a reason against it. */
function readTarget({ site, works }, from, kind, text) {
  if (typeof text !== "string" || text === "")
    return { message: "A path or an address of this site must stand here." };
  if (text.startsWith(`${site}/`)) return { address: text.slice(site.length) };
  if (/^https?:\/\//i.test(text))
    return { code: "other_site", message: `${text} is not on ${site}; name it under sources.` };
  if (/^\/(@|media\/)/.test(text)) return { address: text };
  const target = findInside(from, text);
  const isThere = [works, works.flatMap(({ files }) => files)][kind === "work" ? 0 : 1].some(
    ({ path }) => path === target.path,
  );
  return target.code || isThere
    ? target
    : { code: "not_found", message: `There is no ${NOUNS[kind]} ${text} in this folder.` };
}

/** Finds what a work names in the folder or on the site, each with its field and line. */
export function addTargets(folder, work) {
  const add = (kind, field, text, line = work.lineOf(field)) => {
    const { message, ...target } = readTarget(folder, work.file, kind, text);
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
  for (const { start, end, line, text } of findChartFiles(body_markdown))
    work.charts.push({ start, end, link: add("file", ["body_markdown"], text, line + work.above) });
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
  for (const { start, end, link } of work.charts.toReversed()) {
    const { asset_id, content_sha256 } = toFile(link);
    const from = `"asset_id": "${asset_id}", "content_sha256": "${content_sha256}"`;
    payload.body_markdown = `${payload.body_markdown.slice(0, start)}${from}${payload.body_markdown.slice(end)}`;
  }
  return { payload, leftOut };
}
