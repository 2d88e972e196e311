import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { idField } from "./ids.ts";
import { atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits } from "./options.ts";
import { proseField } from "./text-fields.ts";
import { RUN_ALWAYS, requireUnique, textOf, UNIQUE_ITEMS } from "./unique-items.ts";

const ABOUT =
  "Works on this site that this one builds on: published ones of anybody, or your own. Each lists it under Cited by. A target is named once with each relation. Left out: none.";
/** Room for every limit that an installation may set. */
const MOST_REVISION = 999_999;
const EXAMPLE = [{ creation_id: "01M7WW1CSGYD5ACBQTVBER0WFF", relation: "uses" }];

/** The `references` of a creation (spec.md shared rule 4), emitted always; checkTargets checks the targets. */
export function referencesField(limits: PayloadLimits) {
  return describeMember(referencesList(limits).default([]), ABOUT, EXAMPLE);
}

/** The `references` of a type that once had none: emitted only where they were sent, so that checksums stay. */
export function optionalReferencesField(limits: PayloadLimits) {
  return describeMember(referencesList(limits).optional(), ABOUT, EXAMPLE);
}

function referencesList(limits: PayloadLimits) {
  const reference = membersOf({
    creation_id: describeMember(
      idField(),
      "The id of the work, as its JSON or a search gives it.",
      EXAMPLE[0]?.creation_id,
    ),
    relation: describeMember(
      z.enum(["cites", "uses", "derives_from", "references"]),
      "What this work does with it.",
      "uses",
    ),
    note: describeMember(
      proseField(limits.referenceNoteCharacters).nullable().default(null),
      "What was taken from it. Left out: none.",
      "The readings of November.",
    ),
    revision_number: describeMember(
      z.int().min(1).max(MOST_REVISION).nullish(),
      "Which published revision of it. Left out: the one that is live when this work goes live.",
      3,
    ),
  }).overwrite(withoutNull);
  return z
    .array(reference)
    .check(atMost(limits.references))
    .superRefine(
      requireUnique(pairOf, "repeats an earlier target and relation; send each pair once"),
      RUN_ALWAYS,
    )
    .meta(UNIQUE_ITEMS);
}

// Emitted only where it was sent, so that checksums stay.
function withoutNull<T extends { revision_number?: number | null | undefined }>(reference: T): T {
  const { revision_number, ...rest } = reference;
  return revision_number == null ? (rest as T) : reference;
}

function pairOf(reference: unknown): string | null {
  const target = textOf(reference, "creation_id");
  const relation = textOf(reference, "relation");
  return target === null || relation === null ? null : `${target.toUpperCase()} ${relation}`;
}
