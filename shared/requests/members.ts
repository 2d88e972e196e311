import { z } from "zod";
import { findNearestName } from "../ground/nearest-name.ts";

/** The member with what a reader of the interface needs: what it is for, and an example. */
export function describeMember<Schema extends z.ZodType>(
  member: Schema,
  sentence: string,
  example: unknown,
): Schema {
  return member.meta({ description: sentence, examples: [example] });
}

/** At most `most` code points of a text, or items of a list; `error` replaces the usual sentence. */
export function atMost(most: number, error?: string) {
  return onlyWhereMeasured(z.maxLength(most, error));
}

/** At least `least` code points of a text, or items of a list; `error` replaces the usual sentence. */
export function atLeast(least: number, error?: string) {
  return onlyWhereMeasured(z.minLength(least, error));
}

/**
 * Applies a length check to texts and lists only. zod measures any value with a `length`, also an object sent
 * as a text; `{"length": {"toString": null}}` would make its comparison throw.
 */
function onlyWhereMeasured<Check extends z.core.$ZodCheckMaxLength | z.core.$ZodCheckMinLength>(
  check: Check,
): Check {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}

/**
 * An object with exactly these members; its error lists them, the nearest one first. `mend` replaces the list where an
 * old form is better answered with the new one.
 */
export function membersOf<Shape extends z.core.$ZodLooseShape>(shape: Shape, mend?: string) {
  const known = Object.keys(shape);
  return z.strictObject(shape, { error: (issue) => mend ?? adviseOn(issue, known) });
}

/** The body of a small request; `allowed` is the list in the error for an unknown member. */
export function requestOf<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  allowed: readonly string[] = Object.keys(shape),
) {
  return z.strictObject(shape, { error: (issue) => adviseOn(issue, allowed) });
}

/** More misspelt members than these are no misspellings. */
const MOST_MEANT = 5;

/** What a refusal says behind its first sentence: which of the known members are nearest, and which there are. */
function adviseOn({ code, keys }: { code?: string; keys?: string[] }, known: readonly string[]): string {
  const advice =
    known.length === 0 ? "This address takes none." : `The allowed members are ${known.join(", ")}.`;
  if (code !== "unrecognized_keys" || keys === undefined || keys.length > MOST_MEANT) return advice;
  const meant = keys.flatMap((key) => {
    const nearest = findNearestName(key, known);
    if (nearest === null) return [];
    return [keys.length === 1 ? nearest : `${nearest} for ${key}`];
  });
  return meant.length === 0 ? advice : `Did you mean ${meant.join(", ")}? ${advice}`;
}

/**
 * A check for lists whose items must differ; it reports the later item of each equal pair. It runs beside
 * other problems in the list (`RUN_ALWAYS`), so it takes any value.
 */
export function requireUnique(keyOf: (item: unknown) => string | null, fault: string) {
  return (items: unknown, context: z.core.$RefinementCtx): void => {
    if (!Array.isArray(items)) return;
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const key = keyOf(item);
      if (key === null) continue;
      if (seen.has(key)) context.addIssue({ code: "custom", path: [index], message: fault, input: items });
      seen.add(key);
    }
  };
}

/** What a schema can say of such a list: no item is there twice as it is written. */
export const UNIQUE_ITEMS = { uniqueItems: true };

/** Runs a check although an item has problems of its own, so that all problems are reported at once. */
export const RUN_ALWAYS = { when: () => true };

/** The value of a text item, in upper case because IDs come in any case. */
export function idOf(item: unknown): string | null {
  return typeof item === "string" ? item.toUpperCase() : null;
}

/** The text of one member of an item, or null. */
export function textOf(item: unknown, member: string): string | null {
  if (typeof item !== "object" || item === null) return null;
  const value = (item as Record<string, unknown>)[member];
  return typeof value === "string" ? value : null;
}
