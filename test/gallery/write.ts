import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { renderArtworkPage } from "./artwork-page.ts";
import { GALLERY_CHARTS } from "./charts.ts";
import { GALLERY_FLOWCHARTS } from "./flowcharts.ts";
import { type GalleryItem, renderGallery } from "./page.ts";
import { drawWithVega, openMermaidPage } from "./peers.ts";

// npm run gallery: writes one HTML page with every chart and flowchart of the lists beside this file, light and dark,
// wide and narrow. `-- --peers` sets Vega-Lite's and Mermaid's drawings beside ours; `-- --out FOLDER` says where to.
const { values } = parseArgs({
  options: {
    peers: { type: "boolean", default: false },
    out: { type: "string", default: join(tmpdir(), "broadsheet-gallery") },
  },
});

const items: GalleryItem[] = [
  ...GALLERY_CHARTS.map((chart) => ({ kind: "Chart" as const, ...chart, peer: null })),
  ...GALLERY_FLOWCHARTS.map((flowchart) => ({ kind: "Flowchart" as const, ...flowchart, peer: null })),
];
await mkdir(values.out, { recursive: true });
const file = join(values.out, "index.html");
await writeFile(file, renderGallery(values.peers ? await addPeers(items) : items));
const art = join(values.out, "artwork.html");
await writeFile(art, await renderArtworkPage());
console.log(`Avatars, covers and cards: ${pathToFileURL(art)}`);
console.log(`${items.length} drawings, light and dark, wide and narrow: ${pathToFileURL(file)}`);

async function addPeers(plain: readonly GalleryItem[]): Promise<GalleryItem[]> {
  const mermaid = await openMermaidPage();
  const drawn: GalleryItem[] = [];
  try {
    for (const item of plain) {
      const isChart = item.kind === "Chart";
      // A peer may refuse or fail where we do not; that is worth seeing too.
      const svg = await (isChart ? drawWithVega(item.source) : mermaid.draw(item.source)).catch(
        reportFailure,
      );
      drawn.push({ ...item, peer: { name: isChart ? "Vega-Lite" : "Mermaid", svg } });
    }
  } finally {
    await mermaid.close();
  }
  return drawn;
}

function reportFailure(error: unknown): string {
  return `<p>could not draw this: ${error instanceof Error ? error.name : "unknown"}</p>`;
}
