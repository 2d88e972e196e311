/**
 * A Markdown text of flowcharts that are chains, with every other connection from near the begin to near the end. At 50
 * nodes no flowchart that the service accepts takes much more work.
 */
export function writeDenseText(flowcharts: number, nodes = 50): string {
  return Array.from({ length: flowcharts }, () => writeFence(nodes)).join("\n");
}

function writeFence(nodes: number): string {
  const chain = Array.from({ length: nodes - 1 }, (_, index) => `n${index} --> n${index + 1}`);
  const long = Array.from(
    { length: 101 - nodes },
    (_, index) => `n${index % 3} --> n${nodes - 1 - (index % 3)}`,
  );
  return ["```mermaid", "flowchart TD", ...chain, ...long, "```\n"].join("\n");
}
