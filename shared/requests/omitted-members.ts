import { dropNulls } from "./blank-to-null.ts";
import { withoutBlanks } from "./license.ts";

/** Members whose null means their default. */
const DEFAULTED_MEMBERS = ["sources", "references", "show_preview", "figures", "license", "update_frequency"];
/** Members of one word, of which a blank text is none. */
const WORDS = ["license", "update_frequency"];

/** A sent payload without the members that stand in it and count as left out, of those that its type has. */
export function withoutLeftOut(
  payload: Record<string, unknown>,
  shape: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const words = WORDS.filter((name) => name in shape);
  const defaulted = DEFAULTED_MEMBERS.filter((name) => name in shape);
  return dropNulls(withoutBlanks(payload, words), defaulted);
}
