import { findSingleLineFault, removeUnseen, shortenText } from "../../ground/text.ts";

/** The most of a name that an owner is shown. */
const NAME_CHARACTERS = 60;

/** A client's own name for itself as an owner may see it: one short line of letters that can be seen; null for none. */
export function readClientName(name: unknown): string | null {
  if (typeof name !== "string" || !name.isWellFormed()) return null;
  const line = shortenText(
    removeUnseen(name.slice(0, 1000).replace(/[\p{Cc}\s]+/gu, " ")).trim(),
    NAME_CHARACTERS,
  );
  return line === "" || findSingleLineFault(line) !== null ? null : line;
}
