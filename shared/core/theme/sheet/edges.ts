/** Shade at an edge beyond which something goes on; paper that moves with it hides the shade where there is no more. */
export const SCROLL_EDGES: string = listEdges();

function listEdges(): string {
  const cover = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--paper) 40%,transparent) ${place}/3rem 100% no-repeat local`;
  const shade = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--rule),transparent) ${place}/1.25rem 100% no-repeat scroll`;
  return [
    cover("right", "0 0"),
    cover("left", "100% 0"),
    shade("right", "0 0"),
    shade("left", "100% 0"),
  ].join(",");
}
