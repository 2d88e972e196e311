import { escapeText } from "../drawing/svg.ts";

/** What a page says about the file from which a chart has its rows, or a figure its value. */
export interface SourceLine {
  /** The work that has the file; null where readers may not see one. */
  work: {
    title: string;
    url: string;
    revisionNumber: number;
    liveNumber: number;
    hasChanged: boolean;
    /** The page that says what changed since; null where readers may not see it. */
    diffUrl: string | null;
  } | null;
  /** The address of the question's answer; null where readers may not ask. */
  queryUrl: string | null;
  /** What the question found, in a few words; they lead to that answer. */
  found: string;
  contentSha256: string;
  /** What the newest data say; null where that is not shown. */
  now: { words: string; isOther: boolean } | null;
}

const HASH_SHOWN = 12;

/** The line that says where rows or a value come from, as HTML. */
export function renderSourceLine({ work, queryUrl, found, contentSha256, now }: SourceLine): string {
  const parts = [
    ...(work === null
      ? []
      : [
          `<a href="${escapeText(work.url)}"><bdi>${escapeText(work.title)}</bdi></a>, revision ${work.revisionNumber}`,
        ]),
    ...(now === null ? [] : [now.isOther ? `<b>${escapeText(now.words)}</b>` : escapeText(now.words)]),
    linkTo(queryUrl, escapeText(found)),
    `SHA-256 <code>${shortenHash(contentSha256)}</code>`,
    ...(work?.hasChanged
      ? [linkTo(work.diffUrl, `This dataset has changed since (revision ${work.liveNumber})`)]
      : []),
  ];
  return `\n<p class="small">Data: ${parts.join(" · ")}</p>`;
}

/** The start of a hash, which tells two files apart. */
export function shortenHash(hash: string): string {
  return `${hash.slice(0, HASH_SHOWN)}…`;
}

function linkTo(url: string | null, text: string): string {
  return url === null ? text : `<a href="${escapeText(url)}">${text}</a>`;
}
