import { z } from "zod";

/**
 * An object with exactly these members; its own sentences say which they are.
 * `mend` replaces the list where an old form is better answered with the new one.
 */
export function membersOf<Shape extends z.core.$ZodLooseShape>(shape: Shape, mend?: string) {
  const advice = mend ?? `The allowed members are ${Object.keys(shape).join(", ")}.`;
  return z.strictObject(shape, { error: () => advice });
}
