/** Shade at an edge beyond which something goes on; a cover that moves with it hides the shade where there is no more. */
export const SCROLL_EDGES: string = listEdges("var(--paper)", "var(--rule)");

/** The same on the ground of code, where a line that goes on needs a darker shade. */
export const CODE_EDGES: string = listEdges("var(--wash)", "color-mix(in srgb,var(--soft) 45%,transparent)");

function listEdges(ground: string, shadow: string): string {
  const cover = (side: string, place: string): string =>
    `linear-gradient(to ${side},${ground} 40%,transparent) ${place}/3rem 100% no-repeat local`;
  const shade = (side: string, place: string): string =>
    `linear-gradient(to ${side},${shadow},transparent) ${place}/1.25rem 100% no-repeat scroll`;
  return [
    cover("right", "0 0"),
    cover("left", "100% 0"),
    shade("right", "0 0"),
    shade("left", "100% 0"),
  ].join(",");
}
