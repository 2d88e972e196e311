import { countCodePoints, findSingleLineFault, removeUnseen, takeCodePoints } from "../ground/text.ts";
import { parseMarkdown } from "../text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../text/markdown/plain-text.ts";
import type { CreationType } from "./creation-types.ts";
import type { Payload } from "./payloads.ts";

const BRIEF_TITLE_CHARACTERS = 80;

/** The title of a creation; a brief's is the start of its text (contract.md section 7 row 11). */
export function titleOf(_type: CreationType, payload: Payload): string {
  return "title" in payload ? payload.title : briefTitle(payload.body_markdown);
}

function briefTitle(markdown: string): string {
  const text = oneLine(plainTextOfMarkdown(parseMarkdown(markdown)));
  if (text === "") return "Brief"; // a rule or an empty list is a text without a word
  if (countCodePoints(text) <= BRIEF_TITLE_CHARACTERS) return text;
  const start = takeCodePoints(text, BRIEF_TITLE_CHARACTERS + 1);
  const wordEnd = start.lastIndexOf(" ");
  return `${wordEnd > 0 ? start.slice(0, wordEnd) : takeCodePoints(text, BRIEF_TITLE_CHARACTERS)}…`;
}

/** Texts may hold disguising and control characters, and nothing that can be seen; titles may not. */
function oneLine(text: string): string {
  const folded = text.replace(/\s+/g, " ").trim();
  if (findSingleLineFault(folded) === null) return folded;
  const seen = removeUnseen(folded.replace(/[\p{Cc}\p{Cs}]/gu, "")).trim();
  return findSingleLineFault(seen) === null ? seen : "";
}
