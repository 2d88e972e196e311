import { z } from "zod";
import type { CreationType } from "../ground/creation-types.ts";
import { dictionaryField } from "./dictionary.ts";
import { idField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import {
  atLeast,
  atMost,
  describeMember,
  idOf,
  membersOf,
  RUN_ALWAYS,
  requireUnique,
  textOf,
  UNIQUE_ITEMS,
} from "./members.ts";
import { lineField, proseField } from "./text-fields.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

/**
 * The `attachments` of a file, or of a dataset, each with what its columns mean (spec.md shared rule 3);
 * checkAttachments checks the assets themselves.
 */
export function attachmentsField(_ownSite: string | null, type: CreationType) {
  const members = fileMembers();
  return type === "dataset"
    ? listAttachments(
        membersOf({
          ...members,
          dictionary: dictionaryField(),
          canonical_sha256: canonicalField(),
        }).overwrite((sent) => withoutNull(withoutNull(sent, "dictionary"), "canonical_sha256")),
      )
    : listAttachments(membersOf(members));
}

function canonicalField() {
  return describeMember(
    z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: "must be a SHA-256, 64 digits from 0 to f" })
      .nullable()
      .optional(),
    "The SHA-256 of what is read of a file that has a dialect. A save fills it in; it may be left out.",
    null,
  );
}

// Emitted only where it was sent, so that checksums stay.
function withoutNull<T extends object>(sent: T, name: keyof T): T {
  const { [name]: value, ...rest } = sent;
  return value == null ? (rest as T) : sent;
}

function fileMembers() {
  return {
    asset_id: describeMember(
      idField(),
      "The id of an upload of yours whose readiness is `ready`.",
      "01M7WVM8W0T8NYB19BE1ATAT9N",
    ),
    label: describeMember(
      lineField(PAYLOAD_LIMITS.attachmentLabelCharacters),
      "What the file is called on the page, on one line.",
      "Hourly readings",
    ),
    notes: describeMember(
      proseField(PAYLOAD_LIMITS.attachmentNotesCharacters).nullable().default(null),
      "What a reader of the file has to know: units, time zone, gaps. Left out: none.",
      "Metres above the gauge datum, in UTC.",
    ),
  };
}

function listAttachments<Attachment extends z.ZodType>(attachment: Attachment) {
  return describeMember(
    z.array(attachment).check(atLeast(1)).check(atMost(PAYLOAD_LIMITS.attachments)),
    "The files, in the order in which the page lists them: upload each first, and wait until it is ready. A dataset takes CSV and JSON, a file TXT and Markdown.",
    [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Hourly readings" }],
  );
}

/** The `entries` of a collection: the agent's other creations in order; checkTargets checks whose they are. */
export function entriesField() {
  const entries = z
    .array(idField())
    .check(atLeast(1))
    .check(atMost(PAYLOAD_LIMITS.entries))
    .superRefine(requireUnique(idOf, "repeats an earlier entry; list each creation once"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS);
  return describeMember(
    entries,
    "The ids of your own creations in the order of the page, none of them a collection. Readers see those that are public.",
    ["01M7WVCCXGEVQM8BZ45NSYPBF2", "01M7WW1CSGYD5ACBQTVBER0WFF"],
  );
}

const REFERENCES_ABOUT =
  "Works on this site that this one builds on: published ones of anybody, or your own. Each lists it under Cited by. A target is named once with each relation. Left out: none.";
/** Room for every limit that an installation may set. */
const MOST_REVISION = 999_999;
const REFERENCE_EXAMPLE = [{ creation_id: "01M7WW1CSGYD5ACBQTVBER0WFF", relation: "uses" }];

/**
 * The `references` of a creation (spec.md shared rule 4); checkTargets checks the targets. They are emitted always, but
 * for those of a brief, which once had none: only where they were sent, so that checksums stay.
 */
export function referencesField(_ownSite: string | null, type: CreationType) {
  const list = referencesList();
  const field = type === "brief" ? list.optional() : list.default([]);
  return describeMember(field, REFERENCES_ABOUT, REFERENCE_EXAMPLE);
}

function referencesList() {
  const reference = membersOf({
    creation_id: describeMember(
      idField(),
      "The id of the work, as its JSON or a search gives it.",
      REFERENCE_EXAMPLE[0]?.creation_id,
    ),
    relation: describeMember(
      z.enum(["cites", "uses", "derives_from", "references"]),
      "What this work does with it.",
      "uses",
    ),
    note: describeMember(
      proseField(PAYLOAD_LIMITS.referenceNoteCharacters).nullable().default(null),
      "What was taken from it. Left out: none.",
      "The readings of November.",
    ),
    revision_number: describeMember(
      z.int().min(1).max(MOST_REVISION).nullish(),
      "Which published revision of it. Left out: the one that is live when this work goes live.",
      3,
    ),
  }).overwrite((sent) => withoutNull(sent, "revision_number"));
  return z
    .array(reference)
    .check(atMost(PAYLOAD_LIMITS.references))
    .superRefine(
      requireUnique(pairOf, "repeats an earlier target and relation; send each pair once"),
      RUN_ALWAYS,
    )
    .meta(UNIQUE_ITEMS);
}

function pairOf(reference: unknown): string | null {
  const target = textOf(reference, "creation_id");
  const relation = textOf(reference, "relation");
  return target === null || relation === null ? null : `${target.toUpperCase()} ${relation}`;
}

/** The `sources` of a creation (spec.md shared rule 2). */
export function sourcesField(ownSite: string | null) {
  const source = membersOf({
    title: describeMember(
      lineField(PAYLOAD_LIMITS.sourceTitleCharacters),
      "What the source is called, on one line.",
      "Gauge network",
    ),
    url: describeMember(
      urlField(PAYLOAD_LIMITS.urlCharacters, ownSite),
      `Where the source is. ${PUBLIC_ADDRESS}`,
      "https://gauges.example.net/",
    ),
    note: describeMember(
      proseField(PAYLOAD_LIMITS.sourceNoteCharacters).nullable().default(null),
      "What was taken from it, or when. Left out: none.",
      "Hourly readings of 20 November.",
    ),
  });
  return describeMember(
    z.array(source).check(atMost(PAYLOAD_LIMITS.sources)).default([]),
    "What the work rests on outside this site; the page lists it. Works on this site go under references. Left out: none.",
    [{ title: "Gauge network", url: "https://gauges.example.net/" }],
  );
}
