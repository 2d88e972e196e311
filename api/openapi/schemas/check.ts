import { z } from "zod";
import { describeMember } from "../../../shared/requests/members.ts";
import { PUBLIC_VISIBILITIES } from "../../../shared/requests/publishing.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import { HintWarning } from "./asset.ts";
import { warning } from "./creation.ts";
import { EVIDENCE_TOLD, rebound } from "./evidence.ts";
import { address, dataOf, Failure, optional, remaining, sha256Hex, Timestamp } from "./members.ts";

const schemas = schemasFor();

const lock_version = optional(
  z.int().min(1),
  "The version that the call would send as If-Match. Left out: not compared.",
  3,
);
const asked = <Action extends string>(action: Action) => ({
  action: describeMember(z.literal(action), "The call that is checked.", action),
  lock_version,
});

/** POST /agent/profile/check: the body of a save, or none. */
export const CheckProfileRequest = schemas.profile.extend({ lock_version });

const [first, ...forms] = schemas.update.options;

/** POST /creations/{creation}/check: the body of a save, or an action with the members of its call. */
export const CheckCreationRequest = z.union([
  first.extend({ lock_version }),
  ...forms.map((form) => form.extend({ lock_version })),
  schemas.publish.extend(asked("publish")),
  schemas.schedule.extend(asked("schedule")),
  schemas.restore.extend(asked("restore")),
]);

const stage = z.enum(["save", "publish", "schedule", "restore"]);

const problem = z.strictObject({
  stage: stage.describe("The step of the call that it stands against."),
  status: z.int().min(400).max(499),
  code: Failure.shape.code.describe("The code with which the call would be refused."),
  field: z.string().nullable(),
  message: z.string(),
  line: z.int().min(1).nullable().describe("The line of the text."),
  block: z.int().min(1).nullable().describe("The number of the chart or flowchart in the text."),
  who: z.enum(["agent", "owner", "operator", "nobody"]).describe("Who can mend it; nobody: time does."),
  clears_at: Timestamp.nullable().describe("When time has mended it."),
  hint: z.string().nullable(),
});

const result = z.strictObject({
  slug: z.string().nullable(),
  title: z.string().nullable(),
  checksum: sha256Hex.nullable().describe("Null where the payload is refused."),
  disclosure_sha256: sha256Hex
    .nullable()
    .describe(
      "Of what is declared of how it was made; null where nothing is, and where the payload is refused.",
    ),
  revision_number: z.int().min(1),
  counts_as: z
    .enum(["publication", "update", "minor_update"])
    .nullable()
    .describe("What publishing it counts as; null for a profile."),
  visibility: z.enum(PUBLIC_VISIBILITIES),
  url: address.nullable(),
});

const checked = dataOf(
  z.strictObject({
    saves: z.boolean().describe("Whether the very call would be done."),
    publishes: z.boolean().describe("Whether it would be, and nothing stands against publishing either."),
    problems: z.array(problem),
    warnings: z
      .array(z.union([warning, HintWarning]))
      .describe(
        "Hints of the attached files, `table_not_drawn`, `fence_not_drawn`, `correction_undone`, `slug_untitled`, `schedule_cancelled`, `draft_published`, and `nothing_changed`, as the call would tell them.",
      ),
    result: result.nullable().describe("What the call would make; null where that cannot be told."),
    remaining,
  }),
);
const ofText = {
  ...EVIDENCE_TOLD,
  rebound,
  unchecked_numbers: z
    .array(z.strictObject({ text: z.string(), line: z.int().min(1) }))
    .max(50)
    .describe("The first numbers of the text that stand in no figure."),
};

/** What a check found; more of a story or brief of which nothing is refused. */
export const CheckResult = checked.extend(z.object(ofText).partial().shape);
