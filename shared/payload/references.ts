import { z } from "zod";
import { idField } from "./ids.ts";
import { atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits } from "./options.ts";
import { RUN_ALWAYS, refuseRepeats, textOf } from "./repeats.ts";
import { proseField } from "./text-fields.ts";

/** The `references` of a creation (spec.md shared rule 4), emitted always; checkTargets checks the targets. */
export function referencesField(limits: PayloadLimits) {
  return referencesList(limits).default([]);
}

/** The `references` of a type that once had none: emitted only where they were sent, so that checksums stay. */
export function optionalReferencesField(limits: PayloadLimits) {
  return referencesList(limits).optional();
}

function referencesList(limits: PayloadLimits) {
  const reference = membersOf({
    creation_id: idField(),
    relation: z.enum(["cites", "uses", "derives_from", "references"]),
    note: proseField(limits.referenceNoteCharacters).nullable().default(null),
  });
  return z
    .array(reference)
    .check(atMost(limits.references))
    .superRefine(
      refuseRepeats(pairOf, "repeats an earlier target and relation; send each pair once"),
      RUN_ALWAYS,
    );
}

function pairOf(reference: unknown): string | null {
  const target = textOf(reference, "creation_id");
  const relation = textOf(reference, "relation");
  return target === null || relation === null ? null : `${target.toUpperCase()} ${relation}`;
}
