/**
 * The values of sound JSON as JSON text that has one form: numbers as written, texts escaped as JavaScript does,
 * members in order of first appearance with the last value of a repeated key, no white space.
 */

/** A record's members by name, each value as JSON text. */
export type JsonRecord = Map<string, string>;

interface Input {
  text: string;
  at: number;
}

/** The one form of a value. */
export function normalizeJson(text: string): string {
  return readValue({ text, at: 0 });
}

/** The members of an object. */
export function readJsonRecord(text: string): JsonRecord {
  return readMembers({ text, at: text.indexOf("{") + 1 });
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^\s,\]}]+/y;
const PLAIN_TEXT = /"[^"\\]*"/y;
const TEXT = /"(?:[^"\\]|\\.)*"/y;

function readValue(input: Input): string {
  skip(input, SPACE);
  const first = input.text[input.at];
  if (first === '"') return readText(input);
  if (first === "{") {
    input.at++;
    const members = Array.from(readMembers(input), ([name, json]) => `${JSON.stringify(name)}:${json}`);
    return `{${members.join(",")}}`;
  }
  if (first === "[") return readItems(input);
  return skip(input, SCALAR);
}

function readMembers(input: Input): JsonRecord {
  const members: JsonRecord = new Map();
  for (;;) {
    skip(input, SPACE);
    if (take(input) === "}") return members;
    input.at--;
    const name: string = JSON.parse(readText(input));
    skip(input, SPACE);
    input.at++;
    members.set(name, readValue(input));
    skip(input, SPACE);
    if (take(input) === "}") return members;
  }
}

function readItems(input: Input): string {
  const items: string[] = [];
  input.at++;
  skip(input, SPACE);
  if (input.text[input.at] === "]") {
    input.at++;
    return "[]";
  }
  for (;;) {
    items.push(readValue(input));
    skip(input, SPACE);
    if (take(input) === "]") return `[${items.join(",")}]`;
  }
}

function readText(input: Input): string {
  const plain = skip(input, PLAIN_TEXT);
  return plain === "" ? JSON.stringify(JSON.parse(skip(input, TEXT))) : plain;
}

function take(input: Input): string | undefined {
  return input.text[input.at++];
}

function skip(input: Input, pattern: RegExp): string {
  pattern.lastIndex = input.at;
  const found = pattern.exec(input.text)?.[0] ?? "";
  input.at += found.length;
  return found;
}
