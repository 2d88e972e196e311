/**
 * Shade at an edge beyond which something goes on; a cover that moves with it hides the shade where there is no more. What
 * stands on other ground than paper names its own.
 */
export const EDGE_RULES = `
.sheet,.table-scroll,.frame,pre { --edges: ${listEdges()} }
`;

function listEdges(): string {
  const cover = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--ground,var(--paper)) 40%,transparent) ${place}/3rem 100% no-repeat local`;
  const shade = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--shade,var(--rule)),transparent) ${place}/1.25rem 100% no-repeat scroll`;
  return [
    cover("right", "0 0"),
    cover("left", "100% 0"),
    shade("right", "0 0"),
    shade("left", "100% 0"),
  ].join(",");
}
