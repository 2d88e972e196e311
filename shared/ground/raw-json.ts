import { randomBytes } from "node:crypto";

/** The texts that are copied into the JSON that is being written, and what takes their place meanwhile. */
interface Copied {
  /** Null until there is a text: most answers have none, and random bytes cost as much as a short answer. */
  mark: string | null;
  texts: string[];
}

// JSON is written at one go, so one is enough.
let open: Copied | null = null;

/**
 * JSON text that is copied into an answer, so that numbers keep digits that a JavaScript number would lose.
 */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** What JSON.stringify asks for; a function that looks at every member would take several times as long. */
  toJSON(): unknown {
    if (open === null) return { text: this.text };
    // The mark is random, so that no stored text can equal it.
    open.mark ??= `raw-${randomBytes(9).toString("hex")}-`;
    return `${open.mark}${open.texts.push(this.text) - 1}`;
  }
}

/** A reviver of JSON: a number that JavaScript would write in another way stays as it is written. */
export function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number") return value;
  const source = context?.source ?? String(value);
  return source === String(value) ? value : new RawJson(source);
}

/** Like JSON.stringify, but copies `RawJson` members unparsed; `indent` spreads the rest over lines. */
export function stringifyJson(value: unknown, indent = 0): string {
  const copied: Copied = { mark: null, texts: [] };
  const before = open;
  open = copied;
  try {
    const marked = JSON.stringify(value, undefined, indent);
    return copied.mark === null ? marked : insertTexts(marked, copied.mark, copied.texts);
  } finally {
    open = before;
  }
}

function insertTexts(marked: string, mark: string, texts: readonly string[]): string {
  return marked.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, index) => texts[Number(index)] ?? "null");
}
