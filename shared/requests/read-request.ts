import type { z } from "zod";
import { addProblem, explainMembers, explainUnknownMembers, type Problems } from "./explain.ts";
import { isRecord } from "./read-envelope.ts";

// A refusal names unknown members among the first 20 of a body; a hostile body has thousands.
const MEMBERS_SHOWN = 20;

/** Reads a small request body; null where it has a problem. Unknown members come first. */
export function readRequest<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
  problems: Problems,
): z.output<Schema> | null {
  if (!isRecord(body) && body !== undefined) addProblem(problems, "body", "The body must be a JSON object.");
  const members = isRecord(body) ? body : {};
  const { data, error } = schema.safeParse(members, { reportInput: true });
  if (error === undefined) return data;
  const shown = new Set(Object.keys(members).slice(0, MEMBERS_SHOWN));
  explainUnknownMembers(error.issues, (key) => shown.has(key), problems);
  explainMembers(error.issues, problems);
  return null;
}

/** Like `readRequest`, for members that the caller took out of the body. Unknown members come last. */
export function readMembers<Schema extends z.ZodObject>(
  schema: Schema,
  members: Record<string, unknown>,
  problems: Problems,
): z.output<Schema> | null {
  const { data, error } = schema.safeParse(members, { reportInput: true });
  if (error === undefined) return data;
  explainMembers(error.issues, problems);
  explainUnknownMembers(error.issues, () => true, problems);
  return null;
}
