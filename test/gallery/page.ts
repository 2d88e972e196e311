import { drawBlock, ID_PREFIX } from "../../shared/text/drawing/draw-block.ts";
import { escapeText } from "../../shared/text/drawing/svg.ts";
import { STYLESHEET } from "../../shared/text/stylesheets.ts";

/** One input of the gallery, with the peer's own drawing of it as SVG where that was asked for. */
export interface GalleryItem {
  kind: "Chart" | "Flowchart";
  name: string;
  source: string;
  peer: { name: string; svg: string } | null;
}

export type Scheme = "light" | "dark";

/** The stylesheet that readers get, held in one scheme whatever the browser asks for. */
export function holdScheme(scheme: Scheme): string {
  const query = scheme === "dark" ? "@media all" : "@media not all";
  const css = STYLESHEET.css.replaceAll("@media screen and (prefers-color-scheme:dark)", query);
  return `${css}:root{color-scheme:${scheme}}`;
}

/** A page with one drawing as a creation's page shows it; throws for an input that cannot be drawn. */
export function renderItem(item: GalleryItem, scheme: Scheme): string {
  const figure = drawBlock({ kind: item.kind, number: 1, source: item.source });
  if (figure === null) throw new Error(`${item.name} cannot be drawn`);
  const text = `<div class="text">${figure.replaceAll(ID_PREFIX, "item")}</div>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${holdScheme(scheme)}body{padding-block:1rem}</style>${text}`;
}

const FRAMES = [
  { scheme: "light", widthPx: 704 },
  { scheme: "dark", widthPx: 704 },
  { scheme: "light", widthPx: 320 },
  { scheme: "dark", widthPx: 320 },
] as const;

const LOOK = `
body { margin: 2rem; font: 15px/1.5 sans-serif; background: #e8e6e0; color: #1a1917 }
section { margin: 0 0 3rem } h2 { font-size: 1.1rem }
.row { display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto }
iframe, .peer { flex: none; border: 1px solid #bbb } .peer { padding: 1rem; background: #fff; width: 704px; overflow: auto }
`;
// A frame is as high as what it shows.
const FIT = "this.style.height=this.contentDocument.documentElement.scrollHeight+2+'px'";

/** The gallery: every item light and dark, in a column of text and on a phone of 320 px, beside its peer. */
export function renderGallery(items: readonly GalleryItem[]): string {
  const sections = items.map((item) => {
    const frames = FRAMES.map(({ scheme, widthPx }) => {
      const page = escapeText(renderItem(item, scheme));
      return `<iframe loading="lazy" width="${widthPx}" srcdoc="${page}" onload="${FIT}" title="${scheme}, ${widthPx} px"></iframe>`;
    });
    const peer = item.peer === null ? "" : `<div class="peer"><b>${item.peer.name}</b>${item.peer.svg}</div>`;
    return `<section><h2>${escapeText(item.name)}</h2><div class="row">${frames.join("")}${peer}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery of drawings</title><style>${LOOK}</style><h1>Gallery of drawings</h1>${sections.join("\n")}`;
}
