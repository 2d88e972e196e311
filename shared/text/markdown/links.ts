/** The rules for a link's address: contract section 9, row "Markdown links". */

export type LinkVerdict = "link" | "text" | "refused";

const REFUSED_SCHEMES = new Set(["javascript", "vbscript", "data", "file"]);
const LINKED_SCHEMES = new Set(["http", "https", "mailto"]);
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
// Browsers drop tabs and line ends anywhere and blanks and controls in front; zero-width characters only disguise.
const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
// A second decoding finds addresses that a later program might decode once more.
const DECODE_ROUNDS = 2;

/** Whether an address becomes a link, is shown as text without one, or refuses the whole text. */
export function judgeHref(href: string): LinkVerdict {
  const disguised = uncover(href);
  if (REFUSED_SCHEMES.has(schemeOf(disguised) ?? "")) return "refused";
  const scheme = schemeOf(href);
  if (scheme === null) return "link";
  return LINKED_SCHEMES.has(scheme) ? "link" : "text";
}

function schemeOf(href: string): string | null {
  return SCHEME.exec(href)?.[1]?.toLowerCase() ?? null;
}

function uncover(href: string): string {
  let text = href.slice(0, 300);
  for (let round = 0; round < DECODE_ROUNDS; round++) {
    text = text.replace(/(?:%[0-9a-f]{2})+/gi, decodeOrKeep).replace(/\\/g, "");
  }
  return text.replace(IGNORED, "");
}

function decodeOrKeep(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes.replace(/%[0-7][0-9a-f]/gi, (pair) =>
      String.fromCharCode(Number.parseInt(pair.slice(1), 16)),
    );
  }
}
