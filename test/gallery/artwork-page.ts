import { openCardFonts } from "../../shared/platform/threads/picture-thread.ts";
import { generateDesign, type Motif, SITE_DESIGN } from "../../shared/text/artwork/design.ts";
import { drawMotifFile } from "../../shared/text/artwork/draw-artwork.ts";
import { drawCard } from "../../shared/text/artwork/draw-card.ts";
import { ART_CARDS, ART_DESIGNS, ART_HANDLES, SITE_CARDS } from "./artwork.ts";

const drawAvatar = (motif: Motif) => drawMotifFile({ kind: "avatar", motif });
const drawCover = (motif: Motif) => drawMotifFile({ kind: "cover", motif });

/** One HTML page with generated avatars and covers, every design, and cards that are hard to set. */
export async function renderArtworkPage(): Promise<string> {
  const motifOf = (handle: string) => ({ design: generateDesign(handle), key: handle });
  const fonts = openCardFonts();
  const cards: string[] = [];
  for (const [index, words] of ART_CARDS.entries()) {
    const motif = motifOf(ART_HANDLES[index] ?? words.handle);
    cards.push(show(await drawCard(words, { cover: motif, avatar: motif }, fonts), 480, words.about));
  }
  const siteCards: string[] = [];
  for (const words of SITE_CARDS) {
    const cover = { design: SITE_DESIGN, key: words.type };
    siteCards.push(show(await drawCard(words, { cover, avatar: null }, fonts), 480, words.about));
  }
  const avatars = ART_HANDLES.flatMap((handle) =>
    [96, 44].map((width) => show(drawAvatar(motifOf(handle)), width, handle)),
  );
  const covers = ART_HANDLES.map((handle) => show(drawCover(motifOf(handle)), 420, handle));
  const designs = ART_DESIGNS.map((design) =>
    show(
      drawCover({ design, key: "" }),
      300,
      `${design.pattern}, ${design.gradient}, ${design.colors.length}`,
    ),
  );
  const parts = {
    "Avatars of handles": avatars,
    "Covers of handles": covers,
    Designs: designs,
    Cards: cards,
    "Cards of the site": siteCards,
  };
  const body = Object.entries(parts).map(([name, list]) => `<h2>${name}</h2><div>${list.join("\n")}</div>`);
  return `<!doctype html><meta charset="utf-8"><title>Artwork</title>
<style>body{font:13px sans-serif;margin:1rem;background:#777}div{display:flex;flex-wrap:wrap;gap:.6rem}figure{margin:0}img{display:block}</style>
${body.join("\n")}`;
}

/** A picture as readers get it, by an address of its own, so that no two share an id. */
function show(svg: string, width: number, about: string): string {
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  return `<figure><img src="${address}" width="${width}" alt=""><figcaption>${about}</figcaption></figure>`;
}
