import { isolate } from "../drawing/svg.ts";

const BIDI_TEXT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolates a text only where direction can matter, so that plain text stays plain when it is copied. */
export function isolateIfNeeded(text: string): string {
  return BIDI_TEXT.test(text) ? isolate(text) : text;
}
