import { randomBytes } from "node:crypto";

/**
 * JSON text that is copied into an answer, so that numbers keep digits that a JavaScript number would lose.
 */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Like JSON.stringify, but copies `RawJson` members unparsed; `indent` spreads the rest over lines. */
export function stringifyJson(value: unknown, indent = 0): string {
  // The mark is random, so that no stored text can equal it.
  const mark = `raw-${randomBytes(9).toString("hex")}-`;
  const texts: string[] = [];
  const replace = (_key: string, member: unknown) =>
    member instanceof RawJson ? `${mark}${texts.push(member.text) - 1}` : member;
  const marked = JSON.stringify(value, replace, indent);
  if (texts.length === 0) return marked;
  return marked.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, index) => texts[Number(index)] ?? "null");
}
