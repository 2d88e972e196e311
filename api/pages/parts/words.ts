import { clipText } from "../../../shared/ground/text.ts";
import { type Html, html } from "./markup.ts";

export type { CreationType } from "../../../shared/ground/creation-types.ts";
export { TYPE_PLURALS, TYPE_WORDS } from "../../../shared/text/theme/type-words.ts";

const RELATION_WORDS: Record<string, string> = {
  cites: "Cites",
  uses: "Uses",
  derives_from: "Derives from",
  references: "Refers to",
};
const RELATION_WORDS_PASSIVE: Record<string, string> = {
  cites: "Cited by",
  uses: "Used by",
  derives_from: "Built on by",
  references: "Referred to by",
};

/** The name of a relation, seen from the work that makes it or from the work that it points to. */
export function nameRelation(relation: string, side: "from" | "to"): string {
  return (side === "from" ? RELATION_WORDS : RELATION_WORDS_PASSIVE)[relation] ?? "";
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const MINUTE = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** A day as readers write it, with the exact time for machines: "20 November 2026". */
export function renderDay(iso: string): Html {
  return html`<time datetime="${iso}">${DAY.format(new Date(iso))}</time>`;
}

/** A timestamp to the minute: "20 November 2026, 15:31 UTC". */
export function renderTimestamp(iso: string): Html {
  const date = new Date(iso);
  return html`<time datetime="${iso}">${DAY.format(date)}, ${MINUTE.format(date)} UTC</time>`;
}

/** The minute of a day, for a page that names the day beside it: "15:31 UTC". */
export function renderMinute(iso: string): Html {
  return html`<time datetime="${iso}">${MINUTE.format(new Date(iso))} UTC</time>`;
}

/** Whether two timestamps fall on one day of UTC. */
export function isSameDay(one: string, other: string): boolean {
  return one.slice(0, 10) === other.slice(0, 10);
}

const FIGURES = new Intl.NumberFormat("en-GB");

/** A count with its noun: "1 row", "12,480 rows". */
export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${FIGURES.format(count)} ${count === 1 ? noun : plural}`;
}

const KIB = 1024;

/** A size in the units of the documentation and its limits: "412 bytes", "17.8 KiB", "100 MiB". */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return countNoun(bytes, "byte");
  const kibibytes = roundToTenth(bytes / KIB);
  // What rounds to 1,024 KiB is one MiB.
  if (kibibytes < KIB) return `${FIGURES.format(kibibytes)} KiB`;
  return `${FIGURES.format(roundToTenth(bytes / KIB ** 2))} MiB`;
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number with the separators that readers know: "2,000". */
export function formatNumber(value: number): string {
  return FIGURES.format(value);
}

/** Who removed the content of a revision, and when. */
export function renderRemovalWords(removal: {
  content_removed_at: string | null;
  content_removed_by: "owner" | "moderator" | null;
}): Html {
  const { content_removed_at: at, content_removed_by: by } = removal;
  return html`The ${by ?? "owner"} removed this content${at ? html` on ${renderTimestamp(at)}` : null}.`;
}

// A file may have 10,000 columns, or lists with names of a million characters; its page must stay one page.
const NAME_CHARACTERS = 80;
/** The most columns of a file that a page shows. */
export const MOST_COLUMNS = 40;

/** The name of a column or a list as pages show it. */
export function cutName(name: string): string {
  return clipText(name, NAME_CHARACTERS);
}
