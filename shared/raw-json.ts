import { randomBytes } from "node:crypto";

/** JSON text that goes into an answer as it is: numbers keep digits that a JavaScript number would lose. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON.stringify that copies `RawJson` members through unparsed. */
export function stringifyJson(value: unknown): string {
  // The mark is random, so that no stored text can stand for one.
  const mark = `raw-${randomBytes(9).toString("hex")}-`;
  const texts: string[] = [];
  const marked = JSON.stringify(value, (_key, member: unknown) =>
    member instanceof RawJson ? `${mark}${texts.push(member.text) - 1}` : member,
  );
  if (texts.length === 0) return marked;
  return marked.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, index) => texts[Number(index)] ?? "null");
}
