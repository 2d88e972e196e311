import { measureText, READER_FONT_RESERVE } from "../draw/text-width.ts";
import { TYPE_SIZES_PX, WIDTHS_PX } from "../theme/tokens.ts";

/**
 * How the top of a front page is set on a wide sheet. The briefs always stand beside the lead, and what leads comes
 * first in every setting; the settings differ in where the followers go, and in the columns' widths:
 * - `tall`: followers under the lead, a column of briefs beside both;
 * - `flat`: the column of briefs beside the lead alone, followers below across the sheet;
 * - `band`: as `flat`, the lead's cover across the sheet above both;
 * - `even`: as `band`, with the briefs in two columns of their own;
 * - `pair`: as `even`, with the followers under the lead.
 */
export type FrontSetting = "tall" | "flat" | "band" | "even" | "pair";

/** The texts of a card, as far as its height depends on them. */
export interface CardMeasure {
  title: string;
  summary: string | null;
  /** The line under the summary: the author and the day. */
  by: string;
  hasCover: boolean;
}

/** The top of a front page: a lead, or data that leads, beside briefs. */
export interface FrontTop {
  lead: CardMeasure;
  followers: readonly CardMeasure[];
  briefs: readonly CardMeasure[];
}

const GAP = 32;
const RAIL = 288;
const RAIL_TEXT = RAIL - 25;
const WIDE = WIDTHS_PX.page - GAP - RAIL;
const EVEN_LEAD = Math.round((WIDTHS_PX.page - GAP) * 0.45);
const EVEN_BRIEFS = WIDTHS_PX.page - GAP - EVEN_LEAD;
const EVEN_BRIEF = (EVEN_BRIEFS - 25 - GAP) / 2;
const LEAD_PX = 56;
const BRIEFS_IN_TWO = 3;
const LABEL = 20;
const BY = 20;
const COVER_SHARE = 4;
const COVER_MOST = 240;
// Lines break at words, so a column of text is never quite full.
const FILL = 0.92;

/**
 * The setting that leaves the least of the sheet empty; heights are estimated from the texts, without a
 * browser.
 */
export function chooseSetting(top: FrontTop): FrontSetting {
  const settings = listSettings(top).map(({ setting, left, right, widths }) => {
    // Readers see a gap in the wide column sooner than in the narrow one.
    const empty = left < right ? (right - left) * widths[0] : (left - right) * widths[1];
    return { setting, empty };
  });
  return settings.reduce((best, one) => (one.empty < best.empty ? one : best)).setting;
}

interface Columns {
  setting: FrontSetting;
  left: number;
  right: number;
  widths: readonly [left: number, right: number];
}

function listSettings({ lead, followers, briefs }: FrontTop): Columns[] {
  const bare = { ...lead, hasCover: false };
  const wide = [WIDE, RAIL] as const;
  const column = measureBriefs(briefs, RAIL_TEXT, 1);
  const alone = measureCard(lead, WIDE, LEAD_PX);
  const even = {
    left: measureCard(bare, EVEN_LEAD, LEAD_PX),
    right: measureBriefs(briefs, EVEN_BRIEF, 2),
    widths: [EVEN_LEAD, EVEN_BRIEFS] as const,
  };
  const settings: Columns[] = [{ setting: "flat", left: alone, right: column, widths: wide }];
  if (briefs.length >= BRIEFS_IN_TWO) settings.push({ setting: "even", ...even });
  if (lead.hasCover) {
    settings.push({ setting: "band", left: measureCard(bare, WIDE, LEAD_PX), right: column, widths: wide });
  }
  if (followers.length === 0) return settings;
  const below = Math.max(...followers.map((card) => measureFollower(card, (WIDE - GAP) / 2)));
  if (briefs.length >= BRIEFS_IN_TWO) {
    const stack = followers.reduce((sum, card) => sum + measureFollower(card, EVEN_LEAD) + GAP, 0);
    settings.push({ setting: "pair", ...even, left: even.left + GAP + stack });
  }
  return [{ setting: "tall", left: alone + 1.5 * GAP + below, right: column, widths: wide }, ...settings];
}

/**
 * How data that leads is set: how many of its rows stand beside the briefs (as many as fill the column, one at least),
 * and whether so few do that the briefs take two columns.
 */
export function chooseDataSetting(
  data: readonly CardMeasure[],
  briefs: readonly CardMeasure[],
): { setting: "tall" | "even"; beside: number } {
  const column = measureBriefs(briefs, RAIL_TEXT, 1);
  let height = 0;
  let beside = 0;
  for (const [index, card] of data.entries()) {
    const size = index === 0 ? TYPE_SIZES_PX.head : TYPE_SIZES_PX.deck;
    const next = measureCard(card, WIDE - 192, size) - LABEL - BY;
    if (index > 0 && height + next / 2 > column) break;
    height += next;
    beside++;
  }
  const isShort = briefs.length >= BRIEFS_IN_TWO && height < column / 2;
  return { setting: isShort ? "even" : "tall", beside };
}

function measureFollower(card: CardMeasure, width: number): number {
  return measureCard(card, width, TYPE_SIZES_PX.third);
}

function measureCard({ title, summary, by, hasCover }: CardMeasure, width: number, titlePx: number): number {
  const cover = hasCover ? Math.min(width / COVER_SHARE, COVER_MOST) + 12 : 0;
  const summaryPx = titlePx >= TYPE_SIZES_PX.head ? TYPE_SIZES_PX.deck : TYPE_SIZES_PX.text;
  const text = summary === null ? 0 : countLines(summary, summaryPx, width) * summaryPx * 1.45;
  return cover + LABEL + countLines(title, titlePx, width) * titlePx * 1.1 + 20 + text + measureBy(by, width);
}

function measureBriefs(briefs: readonly CardMeasure[], width: number, columns: number): number {
  const heights = briefs.map(
    ({ title, by }) =>
      countLines(title, TYPE_SIZES_PX.text, width) * TYPE_SIZES_PX.text * 1.45 + measureBy(by, width) + 29,
  );
  let sum = BY + 13;
  for (let row = 0; row < heights.length; row += columns)
    sum += Math.max(...heights.slice(row, row + columns));
  return sum;
}

function measureBy(by: string, width: number): number {
  return countLines(by, TYPE_SIZES_PX.tiny, width) * BY;
}

function countLines(text: string, sizePx: number, width: number): number {
  const length = measureText(text, sizePx) / READER_FONT_RESERVE;
  return Math.max(1, Math.ceil(length / (width * FILL)));
}
