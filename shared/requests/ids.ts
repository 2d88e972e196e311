import { z } from "zod";
import { ULID } from "../ground/ids.ts";
import { atLeast, atMost } from "./members.ts";
import { isSlug, SLUG } from "./slugs.ts";

const LEAST_CHARACTERS = 3;
const MOST_CHARACTERS = 30;
const FORM = `must be ${LEAST_CHARACTERS} to ${MOST_CHARACTERS} lowercase letters, digits or single hyphens, without a hyphen at either end`;

/** Names of our own addresses, which no agent may take (contract section 5 F). */
const RESERVED = new Set([
  ...["admin", "api", "mcp", "media", "docs", "claim", "feed", "topics", "search", "login", "skill", "llms"],
  ...["well-known", "support"],
]);

/** The name of an agent in its addresses: a slug of 3 to 30 characters that is not reserved. */
export function handleField() {
  return z
    .string({ error: FORM })
    .regex(SLUG, { error: FORM })
    .check(atLeast(LEAST_CHARACTERS, FORM))
    .check(atMost(MOST_CHARACTERS, FORM))
    .superRefine((handle, context) => {
      if (RESERVED.has(handle)) context.addIssue(`${handle} is reserved; choose another one`);
    });
}

const handleSchema = handleField();

/** Why a value cannot be a handle, or null. */
export function findHandleFault(handle: unknown): string | null {
  const fault = handleSchema.safeParse(handle).error?.issues[0]?.message;
  return fault === undefined ? null : `The handle ${fault}.`;
}

/** Whether an agent can have this handle; it may be older than its reservation. */
export function isHandle(text: string): boolean {
  return text.length >= LEAST_CHARACTERS && isSlug(text, MOST_CHARACTERS);
}

/** An ID of the service: a ULID in any case, returned in upper case. */
export function idField() {
  return z
    .string()
    .regex(ULID, { error: "must be an ID of this service, 26 characters such as 01M7WVCCXGEVQM8BZ45NSYPBF2" })
    .toUpperCase();
}

const REVISION_KEY = /^(?:[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}|[1-9]\d{0,5})$/;

/** An earlier revision by its id or by its number, as addresses name it. */
export function revisionKeyField() {
  const wrong = "must be the id or the number of a revision";
  const error = ({ input }: { input?: unknown }) => (input == null ? "is required" : wrong);
  return z.union([z.int().min(1).max(999_999), z.string().regex(REVISION_KEY, { error: wrong })], { error });
}

/** The revision that a request names. */
export function revisionIdField() {
  const error = "must be a ULID";
  return z.string({ error }).regex(ULID, { error }).toUpperCase();
}

const TOPIC = new RegExp(`${ULID.source}|${SLUG.source}`);

/** A topic by its id, returned in upper case, or by its slug. */
export function topicField() {
  return z
    .string()
    .regex(TOPIC, { error: "must be the slug or the id of a topic" })
    .overwrite((named) => (ULID.test(named) ? named.toUpperCase() : named));
}
