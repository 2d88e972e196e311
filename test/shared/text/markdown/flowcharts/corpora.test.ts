import { describe, expect, test } from "vitest";
import type { Flowchart } from "../../../../../shared/text/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { readCorpus } from "../read-corpus.ts";
import { readLabel } from "./mermaid-parser.ts";

interface FlowchartCase {
  name: string;
  text: string;
  expect: "accept" | "reject" | "unclear";
  mermaid?: string;
  graph?: { nodes: [string, string, string][]; edges: [string, string, string, string, string][] };
}
type FlowchartCorpus = Record<"boundary" | "rewritten" | "original", FlowchartCase[]>;

const FORMS: Readonly<Record<string, string>> = {
  plain: "box",
  square: "box",
  round: "rounded",
  stadium: "stadium",
  diamond: "decision",
  circle: "circle",
};
const LINES: Readonly<Record<string, string>> = { normal: "solid", dotted: "dashed", thick: "thick" };

function expectGraph({ nodes, connections }: Flowchart, { graph }: FlowchartCase): void {
  if (graph === undefined) return;
  expect(nodes).toEqual(
    graph.nodes.map(([id, label, form]) => ({ id, label: readLabel(label), form: FORMS[form] })),
  );
  expect(connections).toEqual(
    graph.edges.map(([from, to, label, line, head]) => ({
      from,
      to,
      label: readLabel(label),
      line: LINES[line],
      arrow: head === "arrow_point",
    })),
  );
}

const corpus = readCorpus<FlowchartCorpus>("flowcharts.json");

describe.skipIf(corpus === null)("flowchart corpus", () => {
  const cases = [...(corpus?.boundary ?? []), ...(corpus?.rewritten ?? []), ...(corpus?.original ?? [])];

  test.each(cases)("$name", (given) => {
    const verdict = parseFlowchart(given.text);
    if (given.expect !== "unclear") expect(verdict.ok ? "accept" : "reject").toBe(given.expect);
    if (given.mermaid === "error") expect(verdict.ok).toBe(false);
    if (verdict.ok) expectGraph(verdict.flowchart, given);
    else
      for (const { line, message } of verdict.problems)
        expect(`${line}: ${message}`).toMatch(/^[1-9]\d*: .+\.$/);
  });
});
