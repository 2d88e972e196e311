import { z } from "zod";

/**
 * An object with exactly these members; its error lists them. `mend` replaces the list where an old form is
 * better answered with the new one.
 */
export function membersOf<Shape extends z.core.$ZodLooseShape>(shape: Shape, mend?: string) {
  const advice = mend ?? `The allowed members are ${Object.keys(shape).join(", ")}.`;
  return z.strictObject(shape, { error: () => advice });
}

/** The body of a small request; `allowed` is the list in the error for an unknown member. */
export function requestOf<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  allowed: readonly string[] = Object.keys(shape),
) {
  const advice = allowed.length === 0 ? "this address takes none" : `allowed: ${allowed.join(", ")}`;
  return z.strictObject(shape, { error: () => advice });
}
