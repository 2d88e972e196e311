import { isMap, parseDocument } from "../yaml.js";
import { readYaml } from "./yaml-source.js";

const CHART = /^ {0,3}(`{3,}|~{3,})[ \t]*chart\b[^\n]*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm;

/** Whether a Markdown text begins with front matter. */
export const hasFrontMatter = (text) => /^---[ \t]*\n/.test(text);

/** Parts a text into front matter and body, and counts the lines above the body; null where the matter has no end. */
export function splitText(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line, n) => n > 0 && line.trimEnd() === "---");
  const above = lines.findIndex((line, n) => n > end && line.trim() !== "");
  if (end < 0) return null;
  const source = readYaml(lines.slice(1, end).join("\n"), { before: 1 });
  return { source, body: above < 0 ? "" : lines.slice(above).join("\n").trimEnd(), above };
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
