import { z } from "zod";
import { atMost } from "./lengths.ts";

/** The form of a creation's slug (contract.md section 7 row 1). */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SECTION_SLUG = /^(?!revisions$)[a-z0-9-]+$/;

/** The last part of a creation's address. */
export function slugField(maxCharacters: number) {
  return z
    .string()
    .regex(SLUG, {
      error: "may hold lowercase letters, digits and single hyphens between them, as in november-surge",
    })
    .check(atMost(maxCharacters));
}

/** The slug of a section; `revisions` would meet the address of a creation named `section`. */
export function sectionSlugField(maxCharacters: number) {
  return z
    .string()
    .regex(SECTION_SLUG, {
      error: "may hold lowercase letters, digits and hyphens, and must not be revisions",
    })
    .check(atMost(maxCharacters));
}
