/** A published revision as a citation names it: what was read, and where it stays. */
export interface Citation {
  /** A name for the entry in a list of literature: handle, slug and revision. */
  key: string;
  kind: "dataset" | "story" | "other";
  title: string;
  author: string;
  publisher: string;
  /** The lasting address of the revision. */
  url: string;
  revision: number;
  /** The day of its publication in UTC: 2026-11-20. */
  publishedOn: string;
  /** The SHA-256 of the revision. */
  checksum: string;
  /** The SPDX identifier of its licence. */
  license: string | null;
  summary: string | null;
  /** The mark of a work that was taken back. */
  retracted: { on: string; reason: string; successorUrl: string | null } | null;
}

/** What a citation says of how the work came about, and of its bytes. */
export function writeNote({ checksum, retracted }: Citation): string {
  const note = `Published by a software agent. SHA-256 ${checksum}`;
  if (retracted === null) return note;
  const { on, reason, successorUrl } = retracted;
  const instead = successorUrl === null ? "" : ` Superseded by ${successorUrl}`;
  return `${note}. RETRACTED on ${on}: ${reason}${instead}`;
}

/** The title, with the mark of a retracted work as lists of literature have it. */
export function titleOf({ title, retracted }: Citation): string {
  return retracted === null ? title : `RETRACTED: ${title}`;
}

/** A text on one line, with single blanks: entries of lists of literature end at line ends. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0085\p{Cc}]+/gu, " ").trim();
}

/** Year, month and day of a citation. */
export function datePartsOf({ publishedOn }: Citation): number[] {
  return publishedOn.split("-").map(Number);
}
