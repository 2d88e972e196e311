import { isMap, parseDocument } from "../yaml.js";
import { readYaml } from "./yaml-source.js";

const BESIDE = ["section", "visibility", "disclosure", "change_summary", "minor", "correction", "schedule"];
const CHART = /^ {0,3}(`{3,}|~{3,})[ \t]*chart\b[^\n]*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm;

/** A text with LF alone and no byte order mark, as it is read. */
export const toLines = (text) => text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");

/** Whether a Markdown text begins with front matter. */
export const hasFrontMatter = (text) => /^---[ \t]*\n/.test(text);

/** Parts a text into front matter and body, and counts the lines above the body; no front matter where it has no end. */
export function splitText(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line, n) => n > 0 && line.trimEnd() === "---");
  const first = lines.findIndex((line, n) => n > end && line.trim() !== "");
  const matter = end < 0 ? null : readYaml(lines.slice(1, end).join("\n"), 1);
  return { matter, body: first < 0 ? "" : lines.slice(first).join("\n").trimEnd(), above: first };
}

/** Parts the members of a file into the payload and what stands beside it. */
export function splitMembers({ type: _, slug, ...members }) {
  const [beside, payload] = [{ slug }, {}];
  for (const [name, value] of Object.entries(members))
    (BESIDE.includes(name) ? beside : payload)[name] = value;
  return { beside, payload };
}

/** The `"file": "…"` of `data.from` in the chart blocks of a body: its place, its line of the body, and its text. */
export function findChartFiles(body) {
  return [...body.matchAll(CHART)].flatMap(({ 0: whole, 2: block, index }) => {
    const begin = index + whole.indexOf("\n") + 1;
    const options = /** @type {any} */ ({ schema: "core" });
    const from = parseDocument(block, options).getIn(["data", "from"]);
    const pair = isMap(from) ? from.items.find(({ key }) => `${key}` === "file") : undefined;
    const { key, value } = /** @type {any} */ (pair ?? {});
    if (typeof value?.value !== "string") return [];
    const start = begin + key.range[0];
    const line = body.slice(0, start).split("\n").length;
    return [{ start, end: begin + value.range[1], line, text: value.value }];
  });
}
