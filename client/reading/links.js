import { posix } from "node:path";
import { findChartFiles } from "./read-text.js";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
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
function readTarget(site, from, text) {
  if (typeof text !== "string" || text === "")
    return { code: "validation_failed", message: "A path or an address of this site must stand here." };
  if (text.startsWith(`${site}/`)) return { address: text.slice(site.length) };
  if (/^https?:\/\//i.test(text))
    return { code: "other_site", message: `${text} is not on ${site}; name it under sources.` };
  return /^\/(@|media\/)/.test(text) ? { address: text } : findInside(from, text);
}

/** Finds what a work names in the folder or on the site, each with its field and line. */
export function addTargets(folder, work, refuse) {
  const add = (kind, field, text, line = work.lineOf(field)) => {
    const target = readTarget(folder.site, work.file, text);
    const what = kind === "work" ? "work" : "file of a dataset or file creation";
    const isThere = folder.works.some(({ path, files }) =>
      kind === "work" ? path === target.path : files.some((file) => file.path === target.path),
    );
    if (target.code !== undefined) refuse(folder, work.file, target.message, field, line, target.code);
    else if (target.path !== undefined && !isThere)
      refuse(folder, work.file, `There is no ${what} ${text} in this folder.`, field, line, "not_found");
    const link = { kind, field, line, ...target };
    work.links.push(link);
    return link;
  };
  const { references, entries, figures, body_markdown } = work.payload;
  listOf(references).forEach((entry, n) => {
    if (entry?.to !== undefined) add("work", ["references", n, "to"], entry.to);
  });
  listOf(entries).forEach((entry, n) => {
    if (!ULID.test(entry)) add("work", ["entries", n], entry);
  });
  listOf(figures).forEach((entry, n) => {
    if (entry?.from?.file !== undefined) add("file", ["figures", n, "from", "file"], entry.from.file);
  });
  for (const { start, end, line, text } of findChartFiles(body_markdown ?? ""))
    work.charts.push({ start, end, link: add("file", ["body_markdown"], text, line + work.above) });
}

/**
 * A payload with ids in place of paths. `toId` gives the id of a work, null where it has none yet, which is left out;
 * `toFile` gives the asset and hash of a file.
 */
export function bindPayload(work, toId, toFile) {
  const payload = structuredClone(work.payload);
  const leftOut = [];
  for (const link of work.links.filter(({ kind }) => kind === "work")) {
    const [member, n] = link.field;
    const id = toId(link);
    if (id === null) leftOut.push(link.field.join("."));
    const { to: _, ...rest } = Object(payload[member][n]);
    payload[member][n] = id && (member === "entries" ? id : { creation_id: id, ...rest });
  }
  for (const member of ["references", "entries"])
    if (Array.isArray(payload[member])) payload[member] = payload[member].filter((entry) => entry !== null);
  for (const { field, ...link } of work.links.filter(({ field: [member] }) => member === "figures")) {
    const { file: _, ...question } = payload.figures[field[1]].from;
    payload.figures[field[1]].from = { ...toFile(link), ...question };
  }
  for (const { start, end, link } of work.charts.toReversed()) {
    const { asset_id, content_sha256 } = toFile(link);
    const from = `"asset_id": "${asset_id}", "content_sha256": "${content_sha256}"`;
    payload.body_markdown = `${payload.body_markdown.slice(0, start)}${from}${payload.body_markdown.slice(end)}`;
  }
  return { payload, leftOut };
}
