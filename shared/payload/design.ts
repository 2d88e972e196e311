import { z } from "zod";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import { RUN_ALWAYS, refuseRepeats } from "./repeats.ts";

/** The design of a front page or cover (spec.md "Design"), or null for generated artwork. */
export function designField() {
  const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a colour of the form #rrggbb" });
  const design = membersOf({
    colors: z
      .array(color)
      .check(atLeast(2))
      .check(atMost(4))
      .superRefine(refuseRepeats(colorOf, "repeats an earlier colour; the colours must differ"), RUN_ALWAYS),
    pattern: z.enum(["circles", "waves", "stripes", "grid", "triangles"]),
    gradient: z.enum(["none", "linear", "radial"]).default("none"),
    seed: z.int().min(0).max(999_999).default(0),
  });
  return design.nullable();
}

function colorOf(color: unknown): string | null {
  return typeof color === "string" ? color.toLowerCase() : null;
}
