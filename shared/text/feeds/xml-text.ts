/** Text that may stand in XML 1.0, and comes back from the writer unchanged. */

// XML 1.0 section 2.2: these may not appear at all, not even escaped. The U+FDDx noncharacters are
// discouraged there; they are dropped because they stand in for markup below.
// U+007F to U+009F print nothing, and U+FFFD only says that something was lost.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd-\uffff\ufdd0-\ufdef]/g;
const LINE_BREAKS = /[\t\n\r\u0085\u2028\u2029]+/g;
const STAND_INS = [
  ["&", "\ufdd0", "&amp;"],
  ["<", "\ufdd1", "&lt;"],
  [">", "\ufdd2", "&gt;"],
] as const;

/** The text as a feed can carry it: one line, trimmed, without lone surrogates and forbidden characters. */
export function toXmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "").replace(LINE_BREAKS, " ").trim();
}

/**
 * Hides markup characters from the feed writer, which would wrap such texts in CDATA, put white space around
 * them and turn a written "&apos;" into a quote. `revealMarkup` puts the proper entities in afterwards.
 */
export function hideMarkup(text: string): string {
  return STAND_INS.reduce((hidden, [plain, standIn]) => hidden.replaceAll(plain, standIn), toXmlText(text));
}

/** Turns the stand-ins of `hideMarkup` into entities in the written document. */
export function revealMarkup(xml: string): string {
  return STAND_INS.reduce((shown, [, standIn, entity]) => shown.replaceAll(standIn, entity), xml);
}
