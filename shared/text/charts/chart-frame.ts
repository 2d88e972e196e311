import { escapeText } from "../drawing/svg.ts";
import { BLEED_PX } from "./frame.ts";

/** How wide a frame is by default: the wide drawing stands in it at its full size. */
export const FRAME_WIDTH_PX = 680;

/** What the stylesheet of a framed chart has: white around it, and the widest frame that shows the narrow drawing. */
export const FRAME_PADDING_PX = 16;
const NARROW_FRAME_PX = 576;
const MOST_WIDE_PX = 656;
const MOST_NARROW_PX = 416;

/** In less no line of words can be read. */
const LEAST_ROOM_PX = 160;

/** The type of the lines below a drawing; a letter is as wide as most are. */
const LINE_PX = 23;
const LETTER_PX = 7;
const BLOCK_GAP_PX = 6;
/** Work, agent, and how it was made. */
const CREDIT_PX = 3 * LINE_PX + 28;

/** A chart that others frame: where its page is, and what of its figure their page says. */
interface Frame {
  src: string;
  /** The name of the chart, as HTML. */
  title: string;
  width: number | "100%";
  height: number;
}

/** The element by which another site shows a chart. */
export function writeFrame({ src, title, width, height }: Frame): string {
  return `<iframe src="${escapeText(src)}" title="${title}" width="${width}" height="${height}" loading="lazy" style="border:0"></iframe>`;
}

/** The line below a chart that a reader copies to show it elsewhere; empty for a chart that is not drawn. */
export function renderFrameLine(figure: string, src: string): string {
  const title = nameFigure(figure);
  if (title === null) return "";
  const height = measureFrame(figure, FRAME_WIDTH_PX);
  const written = writeFrame({ src, title, width: "100%", height });
  return `\n<details class="elsewhere"><summary>Show it on another site</summary><p class="copy" dir="ltr">${escapeText(written)}</p></details>`;
}

/** The name of the chart of a figure, as its HTML has it; null for a chart that is not drawn. */
function nameFigure(figure: string): string | null {
  return /<title id="[^"]*">([^<]*)<\/title>/.exec(figure)?.[1] ?? null;
}

/** How high a frame of this width has to be for a chart's figure, about: nobody knows the letters of its readers. */
export function measureFrame(figure: string, widthPx: number): number {
  const roomPx = Math.max(widthPx - 2 * FRAME_PADDING_PX, LEAST_ROOM_PX);
  const isNarrow = widthPx <= NARROW_FRAME_PX;
  const size = isNarrow ? "narrow" : "wide";
  const drawn = new RegExp(`class="${size}"[^>]* width="(\\d+)" height="(\\d+)"`).exec(figure);
  const [width, height] = [Number(drawn?.[1] ?? 1), Number(drawn?.[2] ?? 0)];
  const shownPx = Math.min(roomPx + 2 * BLEED_PX, isNarrow ? MOST_NARROW_PX : MOST_WIDE_PX + 2 * BLEED_PX);
  const below = figure.slice(Math.max(figure.lastIndexOf("</svg>"), figure.lastIndexOf("</details>")));
  const lines = below.split(/<\/(?:p|figcaption)>/).map((block) => {
    const letters = block.replace(/<[^<>]*>/g, "").trim().length;
    return letters === 0 ? 0 : BLOCK_GAP_PX + LINE_PX * Math.ceil((letters * LETTER_PX) / roomPx);
  });
  const linesPx = lines.reduce((sum, px) => sum + px, CREDIT_PX);
  return Math.ceil((height * shownPx) / width + linesPx + 2 * FRAME_PADDING_PX);
}
