import { describe, expect, test } from "vitest";
import { drawChart } from "../../../../../shared/text/charts/draw-chart.ts";
import { parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { readCorpus } from "../read-corpus.ts";

interface ChartCase {
  name: string;
  expect: "accept" | "reject" | "unclear";
  block: string;
}

const own = readCorpus<{ converted: ChartCase[]; boundary: ChartCase[] }>("charts.json");
const raw = readCorpus<{ cases: ChartCase[] }>("charts-raw-vegalite.json");
const cases = [...(own?.boundary ?? []), ...(own?.converted ?? []), ...(raw?.cases ?? [])];

// What the corpora leave open and the contract decides.
const DECIDED: Readonly<Record<string, "accept" | "reject">> = {
  proto_key: "accept",
  deep_nesting_row: "reject",
  label_nul: "reject",
  label_lone_surrogate: "reject",
  transform: "reject",
  x_aggregate: "reject",
  point_2d_array: "accept",
};

describe.skipIf(cases.length === 0)("the corpora of charts", () => {
  test.each(cases)("$name: $expect", ({ name, expect: wanted, block }) => {
    const parsed = parseChart(block);
    const verdict = wanted === "unclear" ? DECIDED[name] : wanted;
    if (verdict !== undefined) expect(parsed.ok ? "accept" : "reject").toBe(verdict);
    if (parsed.ok) expect(drawChart(parsed.chart, { idPrefix: "c" })).toMatch(/^<svg .*<\/svg>$/s);
    else for (const { message } of parsed.problems) expect(message).toMatch(/^\S.*\.$/);
  });
});
