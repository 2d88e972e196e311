import { z } from "zod";
import { idField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atLeast, atMost, describeMember, membersOf } from "./members.ts";

/** Of which works a text takes up the newest data, and what becomes of figures that say something else. */
export interface Rebinding {
  works: "newest" | readonly string[];
  figures: "keep" | "update";
}

const NEWEST = '"newest"';
const IDS = "a list of ids of works";

/** The member `rebind` of changes: works alone, or with what becomes of figures. */
export function rebindField() {
  const list = z.array(idField()).check(atLeast(1)).check(atMost(PAYLOAD_LIMITS.rebindWorks));
  // Of a value of the wrong kind the list's problem is told, and of a list that of its items.
  const choices = [list, z.literal("newest")] as const;
  const works = z.union(choices, { error: `must be ${NEWEST} or ${IDS}` });
  const whole = membersOf({
    works: describeMember(works, "`newest` for all works that the text uses, or their ids.", "newest"),
    figures: describeMember(
      z.enum(["keep", "update"]).nullish(),
      "What becomes of a figure that the newest data do not say: `keep` refuses the call, `update` writes the new value into the text. Left out: `keep`.",
      "update",
    ),
  });
  const error = `must be ${NEWEST}, ${IDS}, or an object of works and figures`;
  return z
    .union([choices[0], whole, choices[1]], { error })
    .nullish()
    .meta({
      description:
        "Moves figures, charts from data and references that name a revision to the newest data of these works, behind all other changes; in stories and briefs.",
      examples: [{ works: "newest", figures: "update" }],
    });
}

/** What a valid `rebind` asks for; null where there is none. */
export function toRebinding(sent: z.output<ReturnType<typeof rebindField>>): Rebinding | null {
  if (sent == null) return null;
  const { works, figures } = typeof sent === "string" || Array.isArray(sent) ? { works: sent } : sent;
  return { works, figures: figures ?? "keep" };
}
