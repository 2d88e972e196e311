import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import {
  addProblem,
  conclude,
  explainMembers,
  explainUnknownMembers,
  type Outcome,
  type Problems,
} from "./explain.ts";

/** The members that may stand beside `payload` or inside it (contract.md section 2). */
export const ENVELOPE_MEMBERS = [
  "type",
  "slug",
  "section",
  "change_summary",
  "minor",
  "correction",
  "disclosure",
] as const;

/** The members that stand beside `payload` alone. */
export const BESIDE_MEMBERS = ["signature", "publish", "schedule"] as const;

type EnvelopeMember = (typeof ENVELOPE_MEMBERS | typeof BESIDE_MEMBERS)[number];
export type Envelope = Partial<Record<EnvelopeMember, unknown>>;

/** A request's own members, from either place, and the rest of its payload. */
export type RequestParts = ReturnType<typeof splitRequest>;

/** Whether a parsed JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes the envelope's members from both places; two different values of one member are a problem. */
export function splitRequest(body: Record<string, unknown>, problems: Problems) {
  const envelope: Envelope = {};
  const inner = isRecord(body.payload) ? { ...body.payload } : {};
  for (const name of ENVELOPE_MEMBERS) {
    const [outside, inside] = [body[name], Object.hasOwn(inner, name) ? inner[name] : undefined];
    delete inner[name];
    envelope[name] = isLeftOut(outside) ? inside : outside;
    if (!isLeftOut(outside) && !isLeftOut(inside) && !isSame(outside, inside)) {
      addProblem(problems, name, `The ${name} beside payload and the one inside it differ; send it once.`);
    }
    if (isLeftOut(envelope[name])) delete envelope[name];
  }
  for (const name of BESIDE_MEMBERS) if (!isLeftOut(body[name])) envelope[name] = body[name];
  const known = new Set<string>([...ENVELOPE_MEMBERS, ...BESIDE_MEMBERS, "payload"]);
  return {
    envelope,
    payload: isRecord(body.payload) ? inner : body.payload,
    /** Members beside `payload` that no request has. */
    unknown: Object.keys(body).filter((key) => !known.has(key)),
  };
}

/** Whether a member is missing, null or blank. */
export function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || isBlank(value);
}

/** A member that has two names; two different values are a problem. */
export function takeEither(
  body: Record<string, unknown>,
  [name, other]: readonly [string, string],
  problems: Problems,
): unknown {
  const [value, again] = [body[name], body[other]];
  if (!isLeftOut(value) && !isLeftOut(again) && !isSame(value, again))
    addProblem(problems, other, sayTwice(name, other));
  return value ?? again;
}

/** The sentence for what was sent under two names with two values. */
export function sayTwice(name: string, other: string): string {
  return `The ${other} is another name of ${name}; send one of them.`;
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right === "string") return left.trim() === right.trim();
  return isDeepStrictEqual(left, right);
}

/** The members of a payload as they are emitted: blank texts are null, but for those of figures, which may ask for them. */
export function blanksToNull<T extends object>(payload: T): T {
  const { figures, ...members } = payload as T & { figures?: unknown };
  return { ...blankToNull(members), ...(figures === undefined ? {} : { figures }) } as T;
}

/** Returns the value with every blank text as null: a blank optional text counts as missing. */
export function blankToNull<T>(value: T): T {
  if (value === "") return null as T;
  if (Array.isArray(value)) return value.map(blankToNull) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === AS_SENT ? member : blankToNull(member)]),
  ) as T;
}

/** A column may have a blank name, and a dictionary says nothing with null. */
const AS_SENT = "dictionary";

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
  explainUnknownMembers(error.issues, problems);
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
  explainUnknownMembers(error.issues, problems);
  return null;
}

/** Reads the body of a small request by its schema alone. Never throws. */
export function readBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): Outcome<z.output<Schema>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(schema, body, problems));
}

/** Whether a sent text is blank, which counts as none. */
export function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}
