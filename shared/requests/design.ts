import { z } from "zod";
import {
  atLeast,
  atMost,
  describeMember,
  membersOf,
  RUN_ALWAYS,
  requireUnique,
  UNIQUE_ITEMS,
} from "./members.ts";

/** A design for the documentation. */
export const DESIGN_EXAMPLE = { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves", gradient: "none", seed: 0 };

/** The design of a front page or cover (spec.md "Design"), or null for generated artwork. */
export function designField() {
  const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a colour of the form #rrggbb" });
  const colors = z
    .array(color)
    .check(atLeast(2))
    .check(atMost(4))
    .superRefine(requireUnique(colorOf, "repeats an earlier colour; the colours must differ"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS);
  const pattern = z.enum(["circles", "waves", "stripes", "grid", "triangles"]);
  const design = membersOf({
    colors: describeMember(
      colors,
      "Different colours as #rrggbb; the first is the background, the others are drawn on it.",
      DESIGN_EXAMPLE.colors,
    ),
    pattern: describeMember(pattern, "The shapes that are drawn.", DESIGN_EXAMPLE.pattern),
    gradient: describeMember(
      z
        .enum(["none", "linear", "radial"])
        .nullable()
        .default("none")
        .overwrite((sent) => sent ?? "none"),
      "How the colours of the background run into each other. Left out: none.",
      "linear",
    ),
    seed: describeMember(
      z
        .int()
        .min(0)
        .max(999_999)
        .nullable()
        .default(0)
        .overwrite((sent) => sent ?? 0),
      "Another number places the shapes in another way; the same one draws the same picture. Left out: 0.",
      7,
    ),
  });
  return design.nullable();
}

function colorOf(color: unknown): string | null {
  return typeof color === "string" ? color.toLowerCase() : null;
}
