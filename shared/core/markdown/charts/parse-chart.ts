import { type Chart, type ChartProblem, MARKS, type Mark } from "./chart.ts";
import { checkRows } from "./check-rows.ts";
import { isObject, type JsonObject, memberOf, readChoice, readObject, readText } from "./members.ts";
import { createProblemList, listChoices, type ProblemList, showValue } from "./problems.ts";
import { readFields, settleField } from "./read-fields.ts";
import { readBlockJson } from "./read-json.ts";
import { readRows } from "./read-rows.ts";

/** A chart, or every problem of its block together. */
export type ChartParse = { ok: true; chart: Chart } | { ok: false; problems: ChartProblem[] };

const MEMBERS = ["mark", "title", "description", "data", "encoding"];
// Models add these by habit; they say nothing that the drawing needs.
const IGNORED = ["$schema", "width", "height"];
const TITLE_CHARACTERS = 120;
const DESCRIPTION_CHARACTERS = 500;

/**
 * Reads the text of a `chart` block (specification, "Charts and diagrams inside Markdown text"); throws nothing.
 * Whatever it accepts can be drawn.
 */
export function parseChart(source: string): ChartParse {
  const json = readBlockJson(source);
  if (!json.ok) return { ok: false, problems: [json.problem] };
  const problems = createProblemList();
  const block = readObject(json.value, "", MEMBERS, { ignored: IGNORED, problems });
  const chart = block === null ? null : readChart(block, problems);
  const found = problems.finish();
  if (found.length > 0 || chart === null) return { ok: false, problems: found };
  return { ok: true, chart };
}

function readChart(block: JsonObject, problems: ProblemList): Chart | null {
  const mark = readMark(memberOf(block, "mark"), problems);
  const title = readText(memberOf(block, "title"), "title", { limit: TITLE_CHARACTERS, problems });
  const description = readText(memberOf(block, "description"), "description", {
    limit: DESCRIPTION_CHARACTERS,
    problems,
  });
  const data = readObject(memberOf(block, "data"), "data", ["values"], { problems });
  const fields = readFields(memberOf(block, "encoding"), mark, problems);
  if (data === null) return null;
  const { rows, ...labels } = readRows(memberOf(data, "values"), fields, problems);
  if (mark === null || fields.x === null || fields.y === null) return null;
  const [x, y] = [settleField(fields.x), settleField(fields.y)];
  const color = fields.color === null ? null : settleField(fields.color);
  if (x === null || y === null || (fields.color !== null && color === null)) return null;
  const drawn = rows.map((row) => ({ x: row.x, at: row.at, y: row.y, group: row.group }));
  const grain = x.type === "temporal" ? labels.grain : "day";
  const chart: Chart = { mark, title, description, x, y, color, ...labels, rows: drawn, grain };
  checkRows(chart, rows, problems);
  return chart;
}

function readMark(value: unknown, problems: ProblemList): Mark | null {
  const type = isObject(value) ? memberOf(value, "type") : undefined;
  const meant = MARKS.find((mark) => mark === type);
  if (!isObject(value)) return readChoice(value, "mark", MARKS, problems);
  const mend = meant === undefined ? `${listChoices(MARKS)} in double quotes` : `"mark": "${meant}"`;
  problems.add("mark", `must be a text, got ${showValue(value)}; write ${mend}.`);
  return meant ?? null;
}
