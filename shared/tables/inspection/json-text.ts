import { type Node, parseTree } from "jsonc-parser";

/**
 * The values of sound JSON as JSON text that has one form: numbers as written, texts escaped as JavaScript does,
 * members in order of first appearance with the last value of a repeated key, no white space.
 */

/** A record's members by name, each value as JSON text. */
export type JsonRecord = Map<string, string>;

/** The one form of a value. */
export function normalizeJson(text: string): string {
  const root = parseTree(text);
  if (root === undefined) throw new Error("a stored value is no JSON");
  return writeNode(root, text);
}

/** The members of an object. */
export function readJsonRecord(text: string): JsonRecord {
  return new Map(listMembers(parseTree(text)).map(([name, value]) => [name, writeNode(value, text)]));
}

/** The members of an object of a parsed text, in its order. */
export function listMembers(object: Node | undefined): [name: string, value: Node][] {
  return (object?.children ?? []).flatMap(({ children: [name, value] = [] }): [string, Node][] =>
    name === undefined || value === undefined ? [] : [[String(name.value), value]],
  );
}

/** A part of a parsed text as it is written. */
export function textOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}

function writeNode(node: Node, text: string): string {
  if (node.type === "string") return JSON.stringify(node.value);
  if (node.type === "array")
    return `[${(node.children ?? []).map((item) => writeNode(item, text)).join(",")}]`;
  if (node.type !== "object") return textOf(node, text);
  const members = Array.from(
    new Map(listMembers(node)),
    ([name, value]) => `${JSON.stringify(name)}:${writeNode(value, text)}`,
  );
  return `{${members.join(",")}}`;
}
