import type { InjectOptions } from "fastify";
import type { FieldErrors } from "../../shared/errors.ts";
import type { Arguments, Tool } from "./tool.ts";

/** A tool's request as it is sent, and the arguments that could not be read. */
export interface PlannedRequest {
  options: Pick<InjectOptions, "method" | "url" | "payload"> & { headers: Record<string, string> };
  problems: FieldErrors;
}

// No id, slug or page is a lone hyphen: the request passes every gate and finds nothing.
const NOTHING = "-";

/** Puts arguments where the tool's request has them: path, If-Match, Idempotency-Key, query or body. */
export function planRequest(tool: Tool, given: Arguments, siteUrl: string): PlannedRequest {
  const { method, path, input, rewrite } = tool.request;
  const { args, problems } = rewrite?.(given, siteUrl) ?? { args: given, problems: {} };
  const { lock_version, idempotency_key, ...rest } = args;
  const allProblems = { ...problems, ...findMissing(path, rest, problems) };
  const isUnreadable = Object.keys(allProblems).length > 0;
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return isUnreadable ? NOTHING : toPathPart(value);
  });
  const headers = {
    ...headerOf("if-match", lock_version),
    ...headerOf("idempotency-key", idempotency_key),
  };
  if (input === "query")
    return { options: { method, url: `${url}${toQuery(rest)}`, headers }, problems: allProblems };
  const body = { payload: JSON.stringify(rest), headers: { ...headers, "content-type": "application/json" } };
  return { options: { method, url, ...body }, problems: allProblems };
}

function findMissing(path: string, args: Arguments, problems: FieldErrors): FieldErrors {
  if (Object.keys(problems).length > 0) return {};
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const missing = names.filter(
    (name) => args[name] === undefined || args[name] === null || args[name] === "",
  );
  return Object.fromEntries(missing.map((name) => [name, [`The ${name} is required.`]]));
}

/** A part of dots alone would lead up in the path. */
function toPathPart(value: unknown): string {
  const text = toText(value);
  return /^\.*$/.test(text) ? NOTHING : encodeURIComponent(text.toWellFormed());
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
  return { [name]: /^[\x20-\x7e]*$/.test(text) ? text : "unreadable" };
}

function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
