import fc from "fast-check";
import type { Flowchart } from "../../../../shared/text/markdown/flowcharts/flowchart.ts";

const WORDS = fc.constantFrom(
  "read",
  "the",
  "file",
  "Größe",
  "verschlüsseln",
  "a",
  "12,5",
  "数据",
  "列の型を推測する",
  "مرحبا",
  "שלום",
  "🎉",
  "👩‍👩‍👧",
  "WWWW",
  "iii",
  "Donaudampfschifffahrtsgesellschaftskapitän",
  "<b>",
  "&amp;",
  "ภาษาไทย",
);
const LABEL = fc.oneof(
  { weight: 6, arbitrary: fc.array(WORDS, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")) },
  { weight: 1, arbitrary: fc.array(WORDS, { minLength: 2, maxLength: 5 }).map((words) => words.join("\n")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 160 }) },
  { weight: 1, arbitrary: fc.constantFrom("", "x", "W".repeat(160), "word ".repeat(32)) },
);
const EDGE_LABEL = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 2, arbitrary: LABEL });
const FORM = fc.constantFrom("box", "rounded", "stadium", "decision", "circle" as const);

interface Bounds {
  leastNodes: number;
  mostNodes: number;
  leastConnections: number;
  mostConnections: number;
}

/** Flowcharts as the parser may give them: loops, parallels, cycles and loose parts included. */
export function anyFlowchart({
  leastNodes,
  mostNodes,
  leastConnections,
  mostConnections,
}: Bounds): fc.Arbitrary<Flowchart> {
  const nodes = fc.array(fc.record({ label: LABEL, form: FORM }), {
    minLength: leastNodes,
    maxLength: mostNodes,
  });
  return nodes.chain((drawn) => {
    const id = fc.nat(drawn.length - 1).map((index) => `n${index}`);
    const connection = fc.record({
      from: id,
      to: id,
      label: EDGE_LABEL,
      line: fc.constantFrom("solid", "dashed", "thick" as const),
      arrow: fc.boolean(),
    });
    return fc.record({
      direction: fc.constantFrom("TB", "BT", "LR", "RL" as const),
      nodes: fc.constant(drawn.map((node, index) => ({ id: `n${index}`, ...node }))),
      connections: fc.array(connection, {
        minLength: leastConnections,
        maxLength: mostConnections,
        size: "max",
      }),
    });
  });
}
