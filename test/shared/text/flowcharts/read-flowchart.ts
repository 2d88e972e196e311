import type { Flowchart } from "../../../../shared/text/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";

/** The flowchart of these lines, which runs down. */
export function read(body: string): Flowchart {
  const verdict = parseFlowchart(`flowchart TD\n${body}`);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
  return verdict.flowchart;
}
