/**
 * What readers are told of references, from the rules alone: a work is a line of publications, and a reference stands at
 * one of them. Written from the documentation; it knows no tables and no numbers but those that a save takes.
 */
export interface Publication {
  number: number;
  words: string;
  isMinor: boolean;
  isRemoved: boolean;
}

/** A work that others cite, and everything that was ever published of it, oldest first. */
export interface CitedWork {
  saves: number;
  isOpen: boolean;
  line: Publication[];
}

/** What a citing text tells of its reference; `place` is the publication that it stands at. */
export interface Citation {
  asked: number | null;
  place: Publication | null;
}

/** A work without any publication. */
export const newWork = (): CitedWork => ({ saves: 0, isOpen: false, line: [] });

/** Another save is published. */
export function putOut(work: CitedWork, words: string, isMinor: boolean): void {
  work.saves += 1;
  work.isOpen = true;
  work.line.push({ number: work.saves, words, isMinor, isRemoved: false });
}

/** The citing text goes live now. */
export function goLive(work: CitedWork, asked: number | null): Citation {
  if (!work.isOpen) return { asked, place: null };
  const place = work.line.find(({ number }) => number === asked) ?? work.line.at(-1) ?? null;
  return { asked, place };
}

/** What readers are told of a citation now; nothing while they cannot open the cited work. */
export function describeCitation(work: CitedWork, { place }: Citation) {
  const newest = work.line.at(-1);
  if (!work.isOpen || newest === undefined) return null;
  if (place === null) return { pinned: null, isLinked: false, current: newest.number, changed: null };
  const later = work.line.slice(work.line.indexOf(place) + 1);
  return {
    pinned: place.number,
    isLinked: !place.isRemoved,
    current: newest.number,
    changed: newest.words !== place.words && later.some(({ isMinor }) => !isMinor),
  };
}
