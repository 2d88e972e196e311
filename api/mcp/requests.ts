import type { FieldErrors } from "../../shared/ground/errors.ts";
import { stringifyJson } from "../../shared/ground/raw-json.ts";
import { MOST_QUERY_CHARACTERS } from "../http/query.ts";
import { type ReadArguments, refuseMissing } from "./read-arguments.ts";
import type { Arguments, Tool } from "./tool.ts";

// No id, slug, page or name of a question is a tilde: the request passes every gate and finds nothing.
const NOTHING = "~";
/** More than any id, handle, slug, version or key has. */
const MOST_PART_CHARACTERS = 1_000;

/** Puts arguments where the tool's request has them: path, If-Match, Idempotency-Key, query or body. */
export function planRequest(tool: Tool, read: ReadArguments, siteUrl: string) {
  const { input, rewrite } = tool.request;
  const rewritten = rewrite?.(read.args, siteUrl) ?? { args: read.args, problems: {} };
  const {
    args,
    problems,
    method = tool.request.method,
    path = tool.request.path,
    accept,
    prefer,
  } = rewritten;
  const { inHeaders, rest, problems: unreadable } = takeHeaders(tool, args);
  const found = { ...problems, ...read.problems, ...unreadable };
  const tooLong = input === "query" ? findTooLong(path, rest) : {};
  const allProblems = { ...found, ...findMissing(tool, path, rest, found), ...tooLong };
  // What stays in the request of a write its endpoint refuses in its turn, behind the version.
  const stays = { ...(input === "body" ? read.problems : {}), ...unreadable };
  const isLeft = (name: string) => !tool.annotations.readOnlyHint && name in stays;
  const isUnreadable = !Object.keys(allProblems).every(isLeft);
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return isUnreadable ? NOTHING : toPathPart(value);
  });
  const headers: Record<string, string> = {
    ...preferMinimal(tool, inHeaders.full),
    ...headerOf("accept", accept),
    ...headerOf("prefer", prefer),
    ...headerOf("if-match", inHeaders.lock_version),
    ...headerOf("idempotency-key", inHeaders.idempotency_key),
  };
  const planned = { args, problems: allProblems, unsent: isUnreadable ? listNames(path) : [] };
  if (input === "query") {
    const query = isUnreadable ? "" : toQuery(rest);
    return { ...planned, options: { method, url: `${url}${query}`, headers } };
  }
  const body = { payload: stringifyJson(rest), headers: { ...headers, "content-type": "application/json" } };
  return { ...planned, options: { method, url, ...body } };
}

/** Takes out the arguments that travel as headers, where the tool has them: elsewhere they are unknown. */
function takeHeaders(tool: Tool, args: Arguments) {
  const inHeaders: Arguments = {};
  const rest = { ...args };
  const problems: FieldErrors = {};
  for (const name of ["lock_version", "idempotency_key", "full"]) {
    if (tool.request.hasNoHeaders === true || !(name in tool.arguments.shape)) continue;
    if (name === "lock_version" && args.lock_version != null && !isVersion(args.lock_version))
      problems.lock_version = ["The lock_version must be a whole number of 1 or more, as answers have it."];
    if (name === "full" && !TRUTHS.includes(toText(args.full ?? null))) {
      // It stays among the rest, where the endpoint refuses it as unknown; an empty list would be lost in a query.
      rest.full = toText(args.full);
      problems.full = ["The full must be true or false."];
      continue;
    }
    inHeaders[name] = args[name];
    delete rest[name];
  }
  return { inHeaders, rest, problems };
}

const isVersion = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1;

/** A tool that writes is answered without texts, unless its caller wants them. */
function preferMinimal(tool: Tool, full: unknown): Record<string, string> {
  return "full" in tool.arguments.shape && toText(full) !== "true" ? { prefer: "return=minimal" } : {};
}

const TRUTHS = ["true", "false", "null"];

function findMissing(tool: Tool, path: string, args: Arguments, problems: FieldErrors): FieldErrors {
  if (Object.keys(problems).length > 0) return {};
  const missing = listNames(path).filter(
    (name) => args[name] === undefined || args[name] === null || args[name] === "",
  );
  return Object.fromEntries(missing.map((name) => [name, [refuseMissing(tool, name)]]));
}

function listNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** The longest of the arguments that make no query together, as they would take too long to send and to read. */
function findTooLong(path: string, args: Arguments): FieldErrors {
  const lengths = new Map<string, number>();
  const inPath = listNames(path);
  for (const [name, value] of Object.entries(args)) {
    if (inPath.includes(name)) continue;
    const argument = name.replace(/\[.*$/, "");
    lengths.set(argument, (lengths.get(argument) ?? 0) + countCharacters(name, value));
  }
  const all = [...lengths].toSorted(([, one], [, other]) => other - one);
  const total = all.reduce((sum, [, length]) => sum + length, 0);
  const [longest = ""] = all[0] ?? [];
  return total <= MOST_QUERY_CHARACTERS ? {} : refuseLong(longest);
}

/** The refusal of an argument that takes up most of a query that is too long. */
export function refuseLong(argument: string): FieldErrors {
  const most = `percent-encoded, the arguments may have ${MOST_QUERY_CHARACTERS} characters together`;
  return { [argument]: [`The argument ${argument} is too long: ${most}. Ask for less in one call.`] };
}

/** Characters of an argument in a query; from a length that is refused in any case, without its encoding. */
export function countCharacters(name: string, value: unknown): number {
  let count = 0;
  for (const entry of [value].flat()) {
    if (entry === null || entry === undefined) continue;
    const text = toText(entry);
    const isLong = count + text.length > MOST_QUERY_CHARACTERS;
    count += isLong ? text.length : new URLSearchParams([[name, text]]).toString().length + 1;
  }
  return count;
}

/** A part of dots alone would lead up in the path. */
function toPathPart(value: unknown): string {
  const text = toText(value);
  return /^\.*$/.test(text) || text.length > MOST_PART_CHARACTERS
    ? NOTHING
    : encodeURIComponent(text.toWellFormed());
}

function toQuery(args: Arguments): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    // A list is a repeated parameter; null is left out, as a model writes it.
    for (const entry of [value].flat()) {
      if (entry !== null && entry !== undefined) query.append(name, toText(entry));
    }
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function headerOf(name: string, value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  // A text that no header can carry is no version and no key either.
  const text = toText(value);
  const isReadable = text.length <= MOST_PART_CHARACTERS && /^[\x20-\x7e]*$/.test(text);
  return { [name]: isReadable ? text : "unreadable" };
}

function toText(value: unknown): string {
  return typeof value === "object" ? stringifyJson(value) : String(value);
}
