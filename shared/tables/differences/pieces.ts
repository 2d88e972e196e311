/** A piece of a compared text: in both, or in one of them. */
export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * Joins changes between which nothing but blanks stayed, so that a changed phrase reads as one removal and one addition
 * and not word by word.
 */
export function joinBlanks(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  const change = { removed: "", added: "" };
  const close = () => {
    if (change.removed !== "") joined.push({ kind: "removed", text: change.removed });
    if (change.added !== "") joined.push({ kind: "added", text: change.added });
    change.removed = "";
    change.added = "";
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    if (kind !== "same") change[kind] += text;
    else if (change.removed !== "" && change.added !== "" && isGap(pieces, at)) {
      change.removed += text;
      change.added += text;
    } else {
      close();
      joined.push({ kind, text });
    }
  }
  close();
  return joined;
}

/** Blanks on one line, between a replaced word and another. */
function isGap(pieces: readonly Piece[], at: number): boolean {
  const [next, second] = [pieces[at + 1], pieces[at + 2]];
  const isReplaced = next?.kind === "removed" && second?.kind === "added";
  return isReplaced && /^[^\S\n]+$/.test(pieces[at]?.text ?? "");
}
