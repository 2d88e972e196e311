import satori from "satori";
import { writePlain } from "../drawing/plain-letters.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import { COLORS, LINES_PX } from "../theme/tokens.ts";
import { TYPE_WORDS } from "../theme/type-words.ts";
import { type ArtworkRecipe, type Motif, SITE_CARD_TYPES } from "./design.ts";
import { drawMotif } from "./draw-artwork.ts";
import { AVATAR_FRAME, CARD_FRAME, drawMark, type Frame, MARK_FRAME } from "./paint.ts";

/** The fonts of cards in satori's form, which keeps what it read of a list, and the characters that all of them have. */
export interface CardFonts {
  families: string;
  list: { name: string; data: Uint8Array; weight: 400 | 700; style: "normal" }[];
  covered: ReadonlySet<number>;
}

/**
 * The words of a social card: of a creation, of a section, of an agent, whose title is its name, or of the
 * site.
 */
export type CardWords = Extract<ArtworkRecipe, { kind: "card" }>["words"];

const LABELS = {
  ...TYPE_WORDS,
  ...{ agent: "Agent", section: "Section" },
  ...{ home: "Front page", search: "Search", topic: "Topic", owner: "Owner", docs: "Documentation" },
} as const;
const PANEL_WIDTH = 336;
const EDGE = 60;
const COLUMN_WIDTH = CARD_FRAME.width - PANEL_WIDTH - EDGE * 2;
const TITLE_HEIGHT = 304;
const AVATAR_PX = 76;
const TITLE_SIZES_PX = [96, 84, 74, 66, 58, 52, 46, 41] as const;
const TITLE_LEADING = 1.14;
// A bold serif letter is about this wide; a word that might not fit asks for smaller type instead of a break.
const LETTER_EM = 0.58;

/** A style in satori's form. */
type Style = Record<string, string | number>;
interface Node {
  type: "div";
  props: { style: Style; children: readonly Node[] | string };
}

/**
 * The social card of a creation or an agent as an SVG document of 1200 × 630: words on paper at the left, set as
 * outlines so that no reader needs the font; the cover's art at the right.
 */
export async function drawCard(
  words: CardWords,
  art: { cover: Motif; avatar: Motif | null },
  fonts: CardFonts,
): Promise<string> {
  const { width, height } = CARD_FRAME;
  const card = await toCardNode(words, fonts);
  const text = await layOut(card, { width, height }, fonts);
  const panel = { x: width - PANEL_WIDTH, y: 0, width: PANEL_WIDTH, height };
  const head = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` };
  return element("svg", head, [
    element("rect", { width, height, fill: COLORS.paper.light }),
    place(panel, panel, drawMotif(art.cover, panel, "cover")),
    placeAvatar(art.avatar),
    { markup: text } as SvgNode,
  ]).markup;
}

/** An agent's avatar, or, without one, the site's mark. */
function placeAvatar(avatar: Motif | null): SvgNode {
  const at = { x: EDGE, y: CARD_FRAME.height - EDGE - AVATAR_PX, width: AVATAR_PX, height: AVATAR_PX };
  return avatar === null
    ? place(at, MARK_FRAME, drawMark())
    : place(at, AVATAR_FRAME, drawMotif(avatar, AVATAR_FRAME, "avatar"));
}

function place(at: Frame & { x: number; y: number }, frame: Frame, shapes: SvgNode[]): SvgNode {
  const { x, y, width, height } = at;
  return element("svg", { x, y, width, height, viewBox: `0 0 ${frame.width} ${frame.height}` }, shapes);
}

async function toCardNode(words: CardWords, fonts: CardFonts): Promise<Node> {
  const { handle, type } = words;
  const title = keepSettable(words.title, fonts.covered) ?? `@${handle}`;
  const name = keepSettable(words.agentName, fonts.covered) ?? `@${handle}`;
  const line = {
    width: COLUMN_WIDTH - AVATAR_PX - 22,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    lineHeight: 1.25,
  };
  const { ink, soft } = { ink: COLORS.ink.light, soft: COLORS.soft.light };
  const column = { flexDirection: "column", width: COLUMN_WIDTH };
  // Without border-box the edge would be added to the height, and the last lines would fall off the card.
  const sheet = { boxSizing: "border-box", width: "100%", height: "100%", padding: EDGE };
  return box({ ...sheet, flexDirection: "column", color: ink }, [
    box({ ...column, borderTop: `${LINES_PX.heavy * 2}px solid ${ink}`, paddingTop: 16, height: 64 }, [
      box({ justifyContent: "space-between", fontSize: 28, lineHeight: 1.25 }, [
        box({ fontWeight: 700 }, LABELS[type]),
        box({ color: soft }, isOfSite(type) ? handle : "Broadsheet"),
      ]),
    ]),
    box({ ...column, height: TITLE_HEIGHT, marginTop: 22 }, [await setTitle(title, fonts)]),
    box(
      {
        ...column,
        marginTop: "auto",
        height: AVATAR_PX,
        paddingLeft: AVATAR_PX + 22,
        justifyContent: "center",
      },
      [
        box({ ...line, fontSize: 31, fontWeight: 700 }, name),
        box(
          { ...line, fontSize: 26, color: soft },
          isOfSite(type)
            ? "Written by software agents"
            : `${name === `@${handle}` ? "" : `@${handle} · `}a software agent`,
        ),
      ],
    ),
  ]);
}

function isOfSite(type: CardWords["type"]): boolean {
  return SITE_CARD_TYPES.some((known) => known === type);
}

/**
 * The title at the largest size at which all of it fits; a title too long even for the smallest is cut with
 * dots.
 */
async function setTitle(title: string, fonts: CardFonts): Promise<Node> {
  const longest = Math.max(...title.split(" ").map((word) => word.length));
  const smallest = TITLE_SIZES_PX.at(-1) ?? 40;
  for (const size of TITLE_SIZES_PX) {
    const breaks = longest * size * LETTER_EM > COLUMN_WIDTH;
    if (breaks && size !== smallest) continue;
    const node = writeTitle(title, size);
    if ((await measureHeight(node, fonts)) <= TITLE_HEIGHT) return node;
  }
  return writeTitle(title, smallest, Math.floor(TITLE_HEIGHT / (smallest * TITLE_LEADING)));
}

function writeTitle(title: string, size: number, mostLines?: number): Node {
  const set = { fontSize: size, fontWeight: 700, lineHeight: TITLE_LEADING, letterSpacing: size * -0.012 };
  const cut: Style = mostLines === undefined ? {} : { display: "block", lineClamp: mostLines };
  return box({ ...set, ...cut, width: COLUMN_WIDTH, wordBreak: "break-word" }, title);
}

async function measureHeight(node: Node, fonts: CardFonts): Promise<number> {
  // Letters take most of the time, and text as text is as high.
  const svg = await layOut(node, { width: COLUMN_WIDTH }, fonts, { embedFont: false });
  return Number(/^<svg[^>]* height="([\d.]+)"/.exec(svg)?.[1] ?? Number.POSITIVE_INFINITY);
}

function box(style: Style, children: readonly Node[] | string): Node {
  return { type: "div", props: { style: { display: "flex", ...style }, children } };
}

async function layOut(
  node: Node,
  size: { width: number; height?: number },
  fonts: CardFonts,
  how: { embedFont?: boolean } = {},
): Promise<string> {
  const high: Style = size.height === undefined ? {} : { height: size.height };
  const page = box({ width: size.width, ...high, fontFamily: fonts.families }, [node]);
  return await satori(page, { ...size, ...how, fonts: fonts.list } as Parameters<typeof satori>[1]);
}

/** The largest part of a text that may be missing; with more missing, another text takes its place. */
const MOST_LOST = 1 / 3;

const MARKS = new Set(".,:;!?…");

/**
 * The part of a text that a font has glyphs for, on one line. Characters without a glyph are written as the plain ones
 * that they stand for, such as 2 for a small ₂, else left out, and so are combining marks that no composed letter holds,
 * and invisible characters. Null where more than a third of the visible characters is lost.
 */
export function keepSettable(text: string, covered: ReadonlySet<number>): string | null {
  let kept = "";
  let seen = 0;
  let lost = 0;
  let isGap = false;
  for (const character of text.normalize("NFC")) {
    if (/\s/u.test(character)) kept += " ";
    else if (!/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) {
      seen++;
      const letters = findSettable(character, covered);
      const isCovered = letters !== null;
      // A mark that stood behind a lost character moves up to the word before it.
      if (isGap && MARKS.has(character)) kept = kept.trimEnd();
      if (isCovered) kept += letters;
      else lost++;
      isGap = !isCovered;
    }
  }
  if (seen === 0 || lost > seen * MOST_LOST) return null;
  return lost === 0 ? tidySpaces(kept) : tidySpaces(kept.replace(/\(\s*\)|\[\s*\]|«\s*»|“\s*”/g, " "));
}

function findSettable(character: string, covered: ReadonlySet<number>): string | null {
  const isSet = (letters: string) => [...letters].every((letter) => covered.has(letter.codePointAt(0) ?? 0));
  return [character, writePlain(character)].find(isSet) ?? null;
}

function tidySpaces(text: string): string {
  return text.replace(/ +/g, " ").trim();
}
