import { z } from "zod";
import { describeWork } from "./common-members.ts";
import { idField } from "./ids.ts";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { idOf, RUN_ALWAYS, refuseRepeats } from "./repeats.ts";
import { lineField } from "./text-fields.ts";

/** The payload of a collection: the agent's other creations in order; checkTargets checks whose they are. */
export function collectionSchema(options: PayloadOptions) {
  const { limits } = options;
  return membersOf({
    title: lineField(limits.titleCharacters),
    entries: z
      .array(idField())
      .check(atLeast(1))
      .check(atMost(limits.entries))
      .superRefine(refuseRepeats(idOf, "repeats an earlier entry; list each creation once"), RUN_ALWAYS),
    ...describeWork(options),
  });
}
