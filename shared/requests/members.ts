import { z } from "zod";
import { findNearestName } from "../ground/nearest-name.ts";

/**
 * An object with exactly these members; its error lists them, the nearest one first. `mend` replaces the list where an
 * old form is better answered with the new one.
 */
export function membersOf<Shape extends z.core.$ZodLooseShape>(shape: Shape, mend?: string) {
  const known = Object.keys(shape);
  const advice = `The allowed members are ${known.join(", ")}.`;
  return z.strictObject(shape, {
    error: (issue) => {
      const meant = findMeant(issue, known);
      return mend ?? (meant === "" ? advice : `Did you mean ${meant}? ${advice}`);
    },
  });
}

/** The body of a small request; `allowed` is the list in the error for an unknown member. */
export function requestOf<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  allowed: readonly string[] = Object.keys(shape),
) {
  const advice = allowed.length === 0 ? "this address takes none" : `allowed: ${allowed.join(", ")}`;
  return z.strictObject(shape, {
    error: (issue) => {
      const meant = findMeant(issue, allowed);
      return meant === "" ? advice : `did you mean ${meant}? A${advice.slice(1)}`;
    },
  });
}

/** More misspelt members than these are no misspellings. */
const MOST_MEANT = 5;

/** The known members nearest to the unknown ones, in one line. */
function findMeant({ code, keys }: { code?: string; keys?: string[] }, known: readonly string[]): string {
  if (code !== "unrecognized_keys" || keys === undefined || keys.length > MOST_MEANT) return "";
  const meant = keys.map((key) => findNearestName(key, known)).filter((name) => name !== null);
  return [...new Set(meant)].join(", ");
}
