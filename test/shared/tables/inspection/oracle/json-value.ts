/** A value of a JSON document, with its numbers as the file writes them. */
export interface JsonValue {
  type: "object" | "array" | "text" | "number" | "boolean" | "null";
  /** The value on one line without white space; of a repeated key the last value. */
  json: string;
  /** What a text says. */
  text: string;
  members: Map<string, JsonValue>;
  /** The names of an object as they stand in the file, a repeated one each time. */
  keys: string[];
  items: JsonValue[];
}

// In a valid document commas and colons say nothing that the brackets do not.
const WORDS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s,:[\]{}"]+/g;

/** Reads a document that `JSON.parse` accepts, and throws as it does. */
export function readJson(document: string): JsonValue {
  JSON.parse(document);
  return readValue((document.match(WORDS) ?? []).values());
}

function readValue(words: Iterator<string>): JsonValue {
  return readFrom(words, next(words));
}

const next = (words: Iterator<string>): string => words.next().value as string;

function readFrom(words: Iterator<string>, word: string): JsonValue {
  const plain = { text: "", members: new Map(), keys: [], items: [] };
  if (word === "{") return readObject(words);
  if (word === "[") return readArray(words);
  if (word.startsWith('"')) {
    const text: string = JSON.parse(word);
    return { ...plain, type: "text", json: JSON.stringify(text), text };
  }
  const type = word === "null" ? "null" : /^[tf]/.test(word) ? "boolean" : "number";
  return { ...plain, type, json: word };
}

function readObject(words: Iterator<string>): JsonValue {
  const members = new Map<string, JsonValue>();
  const keys: string[] = [];
  for (let word = next(words); word !== "}"; word = next(words)) {
    const name: string = JSON.parse(word);
    keys.push(name);
    members.set(name, readValue(words));
  }
  const json = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value.json}`);
  return { type: "object", json: `{${json.join(",")}}`, text: "", members, keys, items: [] };
}

function readArray(words: Iterator<string>): JsonValue {
  const items: JsonValue[] = [];
  for (let word = next(words); word !== "]"; word = next(words)) items.push(readFrom(words, word));
  const json = `[${items.map((item) => item.json).join(",")}]`;
  return { type: "array", json, text: "", members: new Map(), keys: [], items };
}
