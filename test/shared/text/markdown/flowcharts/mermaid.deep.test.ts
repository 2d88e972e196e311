import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFlowchart } from "../../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { MERMAID, usePackages } from "../../../../support/published-packages.ts";
import { type MermaidGraph, openMermaid } from "./mermaid-parser.ts";
import { FLOWCHART_TEXT, MUTATED_TEXT } from "./random-text.ts";

const TEXTS = 2_000;
const CHANGED_TEXTS = 1_500;

let readByMermaid: (text: string) => Promise<MermaidGraph | null>;

const installed = await usePackages(MERMAID);
if (installed !== null) readByMermaid = await openMermaid(installed);

/** What we accept and mermaid does not, or reads otherwise. */
async function findDifference(text: string): Promise<unknown> {
  const verdict = parseFlowchart(text);
  if (!verdict.ok) return null;
  const theirs = await readByMermaid(text);
  const ours: MermaidGraph = verdict.flowchart;
  return JSON.stringify(ours) === JSON.stringify(theirs) ? null : { text, ours, theirs };
}

describe("against mermaid's own parser", () => {
  test("every text of listed forms that is accepted is the same graph to mermaid", {
    timeout: 360_000,
  }, async () => {
    let accepted = 0;
    for (const text of fc.sample(FLOWCHART_TEXT, { numRuns: TEXTS, seed: 12 })) {
      expect(await findDifference(text)).toBeNull();
      if (parseFlowchart(text).ok) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(0.3 * TEXTS);
  });

  test("no changed text that mermaid refuses is accepted", { timeout: 360_000 }, async () => {
    for (const text of fc.sample(MUTATED_TEXT, { numRuns: CHANGED_TEXTS, seed: 13 })) {
      const verdict = parseFlowchart(text);
      if (verdict.ok) expect({ text, theirs: await readByMermaid(text) }).not.toEqual({ text, theirs: null });
    }
  });
});
