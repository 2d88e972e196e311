import { z } from "zod";
import { atLeast, atMost } from "./lengths.ts";
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
