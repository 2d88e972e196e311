import { isDeepStrictEqual } from "node:util";

/** A JSON value. */
export type JsonValue = unknown;

/** An operation of RFC 6902; a patch here needs no others. */
export type PatchOperation =
  | { op: "add" | "replace"; path: string; value: JsonValue }
  | { op: "remove"; path: string };

/** The RFC 6902 patch that leads from one JSON value to another; empty for equal ones. */
export function patchJson(from: JsonValue, to: JsonValue, path = ""): PatchOperation[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return patchList(from, to, path);
  if (isObject(from) && isObject(to)) return patchObject(from, to, path);
  return [{ op: "replace", path, value: to }];
}

type JsonObject = Record<string, JsonValue>;

function patchObject(from: JsonObject, to: JsonObject, path: string): PatchOperation[] {
  const at = (name: string) => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const removed = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  return [
    ...removed.map((name): PatchOperation => ({ op: "remove", path: at(name) })),
    ...Object.keys(to).flatMap((name): PatchOperation[] =>
      Object.hasOwn(from, name)
        ? patchJson(from[name], to[name], at(name))
        : [{ op: "add", path: at(name), value: to[name] }],
    ),
  ];
}

/** Items between the equal beginnings and ends of both lists are compared by their position. */
function patchList(from: readonly JsonValue[], to: readonly JsonValue[], path: string): PatchOperation[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && isDeepStrictEqual(from[head], to[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isDeepStrictEqual(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  const [fromEnd, toEnd] = [from.length - tail, to.length - tail];
  const paired = Math.min(fromEnd, toEnd);
  const operations: PatchOperation[] = [];
  for (let at = head; at < paired; at += 1) operations.push(...patchJson(from[at], to[at], `${path}/${at}`));
  // From behind, so that no removal moves what the next one names.
  for (let at = fromEnd - 1; at >= paired; at -= 1) operations.push({ op: "remove", path: `${path}/${at}` });
  for (let at = paired; at < toEnd; at += 1)
    operations.push({ op: "add", path: `${path}/${at}`, value: to[at] });
  return operations;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
