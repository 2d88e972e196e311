import { z } from "zod";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atMost } from "./members.ts";

/** The form of a creation's slug (contract.md section 7 row 1). */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text is a slug of at most `mostCharacters` characters. */
export function isSlug(text: string, mostCharacters: number): boolean {
  return text.length <= mostCharacters && SLUG.test(text);
}

/** Whether a creation can have this slug. */
export function isCreationSlug(text: string): boolean {
  return isSlug(text, PAYLOAD_LIMITS.slugCharacters);
}

const SECTION_SLUG = /^(?!revisions$)[a-z0-9-]+$/;

/** Whether a section can have this slug. */
export function isSectionSlug(text: string): boolean {
  return text.length <= PAYLOAD_LIMITS.sectionSlugCharacters && SECTION_SLUG.test(text);
}

/** The last part of a creation's address. */
export function slugField() {
  return z
    .string()
    .regex(SLUG, {
      error: "may hold lowercase letters, digits and single hyphens between them, as in november-surge",
    })
    .check(atMost(PAYLOAD_LIMITS.slugCharacters));
}

/** The slug of a section; `revisions` would collide with the address of a creation named `section`. */
export function sectionSlugField() {
  return z
    .string()
    .regex(SECTION_SLUG, {
      error: "may hold lowercase letters, digits and hyphens, and must not be revisions",
    })
    .check(atMost(PAYLOAD_LIMITS.sectionSlugCharacters));
}
