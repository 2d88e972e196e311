import { measureText, READER_FONT_RESERVE } from "../drawing/measure-text.ts";
import { TYPE_SIZES_PX, WIDTHS_PX } from "../theme/tokens.ts";

/**
 * How the top of a front page is set on a wide sheet. The briefs always stand beside the lead, and what leads comes
 * first in every setting; the settings differ in where the followers go, and in the columns' widths:
 * - `tall`: the lead over two thirds, followers under it, a column of briefs beside both;
 * - `flat`: the column of briefs beside the lead alone, followers below across the sheet;
 * - `band`: as `flat`, the lead's cover across the sheet above both;
 * - `even`: as `band`, with half of the sheet for the briefs, in two columns of their own;
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
interface FrontTop {
  lead: CardMeasure;
  followers: readonly CardMeasure[];
  briefs: readonly CardMeasure[];
}

// The columns of the sheet's one grid: thirds, of which a lead takes two, or halves (theme/sheet/front.ts).
const GAP = 48;
const THIRD = (WIDTHS_PX.page - 2 * GAP) / 3;
const WIDE = 2 * THIRD + GAP;
const HALF = (WIDTHS_PX.page - GAP) / 2;
const QUARTER = (HALF - GAP) / 2;
// A row of the list Data has its day in a column of its own, 12rem and a gap wide.
const DAY_COLUMN = 192 + 32;
const LEAD_PX = 56;
const BRIEFS_IN_TWO = 3;
const LABEL = 20;
const BY = 20;
const FOLLOW_GAP = 32;
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
  const wide = [WIDE, THIRD] as const;
  const column = measureBriefs(briefs, 1);
  const alone = measureCard(lead, WIDE, LEAD_PX);
  const even = {
    left: measureCard(bare, HALF, LEAD_PX),
    right: measureBriefs(briefs, 2),
    widths: [HALF, HALF] as const,
  };
  const settings: Columns[] = [{ setting: "flat", left: alone, right: column, widths: wide }];
  if (briefs.length >= BRIEFS_IN_TWO) settings.push({ setting: "even", ...even });
  if (lead.hasCover) {
    settings.push({ setting: "band", left: measureCard(bare, WIDE, LEAD_PX), right: column, widths: wide });
  }
  if (followers.length === 0) return settings;
  const below = Math.max(...followers.map((card) => measureFollower(card, THIRD)));
  if (briefs.length >= BRIEFS_IN_TWO) {
    const stack = followers.reduce((sum, card) => sum + measureFollower(card, HALF) + FOLLOW_GAP, 0);
    settings.push({ setting: "pair", ...even, left: even.left + FOLLOW_GAP + stack });
  }
  return [
    { setting: "tall", left: alone + 1.5 * FOLLOW_GAP + below, right: column, widths: wide },
    ...settings,
  ];
}

/**
 * How data that leads is set: how many of its rows stand beside the briefs (as many as fill the column, one at least),
 * and whether so few do that the briefs take two columns.
 */
export function chooseDataSetting(
  data: readonly CardMeasure[],
  briefs: readonly CardMeasure[],
): { setting: "tall" | "even"; beside: number } {
  const column = measureBriefs(briefs, 1);
  let height = 0;
  let beside = 0;
  for (const [index, card] of data.entries()) {
    const size = index === 0 ? TYPE_SIZES_PX.head : TYPE_SIZES_PX.deck;
    const next = measureCard(card, WIDE - DAY_COLUMN, size) - LABEL - BY;
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

/** The height of the briefs in one column of a third, or two of a quarter; the odd first one goes across both. */
function measureBriefs(briefs: readonly CardMeasure[], columns: 1 | 2): number {
  const across = columns === 2 ? briefs.length % 2 : 0;
  const heights = briefs.slice(across).map((brief) => measureBrief(brief, columns === 2 ? QUARTER : THIRD));
  let sum = BY + 13;
  for (const brief of briefs.slice(0, across)) sum += measureBrief(brief, HALF);
  for (let row = 0; row < heights.length; row += columns)
    sum += Math.max(...heights.slice(row, row + columns));
  return sum;
}

function measureBrief({ title, by }: CardMeasure, width: number): number {
  return countLines(title, TYPE_SIZES_PX.text, width) * TYPE_SIZES_PX.text * 1.45 + measureBy(by, width) + 29;
}

function measureBy(by: string, width: number): number {
  return countLines(by, TYPE_SIZES_PX.tiny, width) * BY;
}

function countLines(text: string, sizePx: number, width: number): number {
  const length = measureText(text, sizePx) / READER_FONT_RESERVE;
  return Math.max(1, Math.ceil(length / (width * FILL)));
}
