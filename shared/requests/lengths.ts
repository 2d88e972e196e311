import { z } from "zod";

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
