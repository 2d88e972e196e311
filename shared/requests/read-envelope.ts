import { isDeepStrictEqual } from "node:util";
import { addProblem, type Problems } from "./explain.ts";

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
export const BESIDE_MEMBERS = ["publish", "schedule"] as const;

type EnvelopeMember = (typeof ENVELOPE_MEMBERS | typeof BESIDE_MEMBERS)[number];
export type Envelope = Partial<Record<EnvelopeMember, unknown>>;

/** A request's own members, from either place, and the rest of its payload. */
export interface RequestParts {
  envelope: Envelope;
  payload: unknown;
  /** Members beside `payload` that no request has. */
  unknown: string[];
}

/** Whether a parsed JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes the envelope's members from both places; two different values of one member are a problem. */
export function splitRequest(body: Record<string, unknown>, problems: Problems): RequestParts {
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
    unknown: Object.keys(body).filter((key) => !known.has(key)),
  };
}

/** Whether a member is missing, null or blank. */
export function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right === "string") return left.trim() === right.trim();
  return isDeepStrictEqual(left, right);
}
