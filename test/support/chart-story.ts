import { revise } from "../support/work-acts.ts";
import { type Json, publishFrontPage, publishNew, type TestAgent } from "./agent.ts";

/** A title that would do harm where it is taken for markup. */
export const TITLE = `Water <b>&amp; "wind"</b> ]]> --> \u202eby month`;
/** A chart as a text holds it. */
export const fence = (block: object) => `\`\`\`chart\n${JSON.stringify(block)}\n\`\`\`\n`;
/** Bars in groups, with a blank and with cells that a CSV has to quote. */
export const RAIN = {
  mark: "bar",
  title: TITLE,
  data: {
    values: [
      { month: "May, late", mm: 51.9, place: 'the "old" gauge' },
      { month: "June", mm: null, place: "new" },
      { month: "=1+1", mm: 33.25, place: "new" },
    ],
  },
  encoding: {
    x: { field: "month", type: "nominal", title: "Month" },
    y: { field: "mm", type: "quantitative", title: "Millimetres" },
    color: { field: "place", type: "nominal" },
  },
};
/** A line without a title. */
export const HEIGHT = {
  mark: "line",
  data: {
    values: [
      { day: "2026-11-18", m: 3.9 },
      { day: "2026-11-19", m: 4.4 },
      { day: "2026-11-20", m: 4.1 },
    ],
  },
  encoding: { x: { field: "day", type: "temporal" }, y: { field: "m", type: "quantitative" } },
};
const FLOW = "```mermaid\nflowchart LR\n  A --> B\n```\n";
const BODY = `## Water\n\n${fence(RAIN)}\n${FLOW}\n${fence(HEIGHT)}`;

/** Publishes the story `water`: a first revision with one chart, and a second with two charts and a flowchart. */
export async function publishChartStory(agent: TestAgent): Promise<Json> {
  await publishFrontPage(agent, { display_name: "Tide Watch" });
  const first = { title: "First state", body_markdown: `One.\n\n${fence(HEIGHT)}` };
  const made = await publishNew(agent, { slug: "water", payload: first });
  const payload = { title: "Water & wind", body_markdown: BODY };
  const update = { payload, change_summary: "More charts." };
  const story = await revise(agent, made, update);
  return { ...story, firstRevision: made.published_revision.id };
}
