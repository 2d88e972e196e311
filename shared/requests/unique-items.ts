import type { z } from "zod";

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
