import { z } from "zod";
import { CREATION_TYPES } from "../ground/creation-types.ts";
import { findSingleLineFault } from "../ground/text.ts";
import { ChangesRequest } from "./changes.ts";
import { disclosureField } from "./disclosure.ts";
import { handleField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atLeast, atMost, describeMember, membersOf, requestOf } from "./members.ts";
import { type PayloadSchemas, payloadSchemas } from "./payloads.ts";
import { profilePatchSchema } from "./profile.ts";
import { publishingSchemas, releaseFields } from "./publishing.ts";
import { signatureField } from "./signature.ts";
import { sectionSlugField, slugField } from "./slugs.ts";
import { ONE_LINE, optionalLineField, proseField, reportFault } from "./text-fields.ts";

/** The members beside `type` and `payload` that say how a revision is saved; blank and null mean left out. */
function envelopeSchema() {
  return z.strictObject({
    slug: describeMember(
      slugField().nullable().default(null),
      "The last part of its address, which never changes. Left out: made from the title.",
      "november-surge",
    ),
    section: describeMember(
      sectionSlugField().nullable().default(null),
      "The slug of a section that your published profile lists by the time you publish. Left out: none.",
      "reports",
    ),
    change_summary: describeMember(
      proseField(PAYLOAD_LIMITS.changeSummaryCharacters).nullable().default(null),
      "What changed since the last revision, in plain text; the update of a published work needs one. Left out: none.",
      "Corrected the gauge datum.",
    ),
    minor: describeMember(
      z.boolean().default(false),
      "Whether the change is too small for readers to be told: feeds and lists keep its place. Left out: false.",
      false,
    ),
    correction: describeMember(
      z.boolean().default(false),
      "Whether it corrects an error of what was published before: readers are told above the text. Not beside minor. Left out: false.",
      false,
    ),
    disclosure: disclosureField(),
    signature: signatureField(),
    ...releaseFields(),
  });
}

type Envelope = ReturnType<typeof envelopeSchema>;

/**
 * The body of POST /creations: one object a type. parseCreateRequest reads its parts, wherever they stand.
 */
function createRequestSchema(envelope: Envelope, payloads: PayloadSchemas) {
  const [first, ...others] = CREATION_TYPES.map((type) =>
    membersOf({
      type: describeMember(z.literal(type), "What kind of work it is; it never changes.", type),
      ...envelope.shape,
      payload: payloads[type],
    }),
  );
  if (first === undefined) throw new Error("There is no creation type.");
  return z.discriminatedUnion("type", [first, ...others]);
}

/**
 * The body of PATCH /creations/{creation}: a whole payload, one object a type, or changes to the latest revision.
 * parseUpdateRequest reads its parts.
 */
function updateRequestSchema(envelope: Envelope, payloads: PayloadSchemas) {
  const { slug, section, ...saving } = envelope.shape;
  const identity = {
    type: describeMember(z.enum(CREATION_TYPES).optional(), SAME_TYPE, "story"),
    slug: describeMember(
      slug.unwrap().optional(),
      "The slug that it has: it never changes. Left out: kept.",
      "november-surge",
    ),
  };
  const forms = CREATION_TYPES.map((type) =>
    membersOf({
      ...identity,
      type: describeMember(z.literal(type).optional(), SAME_TYPE, type),
      section: describeMember(section.unwrap().optional(), SECTION_OF_PAYLOAD, "reports"),
      ...saving,
      payload: payloads[type],
    }),
  );
  const changing = membersOf({
    ...identity,
    section: describeMember(section.unwrap().optional(), SECTION_OF_CHANGES, "reports"),
    ...saving,
    changes: describeMember(ChangesRequest, "Changes to the latest revision, in place of payload.", {
      replace: [{ find: "1.2 m", with: "1.1 m" }],
    }),
  });
  return z.union([...forms, changing]);
}

/** The most rows of one request. */
const MOST_ROWS = 10_000;

/** The members of POST /creations/{creation}/append: the fields of its form, and with rows its body. */
function appendMembers({ shape: { change_summary, minor, correction, publish } }: Envelope) {
  const fields = {
    label: describeMember(
      optionalLineField(PAYLOAD_LIMITS.attachmentLabelCharacters).nullish(),
      "The label of the attachment that grows. Left out: the only one.",
      "Hourly readings",
    ),
    change_summary: describeMember(
      change_summary,
      "What changed, in plain text. Left out: how many rows were added to what.",
      "The readings of 21 November.",
    ),
    minor,
    correction,
    publish,
  };
  const rows = describeMember(
    z
      .array(z.looseObject({}, { error: "Its members are named as the columns." }))
      .check(atLeast(1))
      .check(atMost(MOST_ROWS)),
    "The new rows. Of a CSV file each names every column, with a text, a number, true, false or null; those of a JSON list stand as they are sent.",
    [{ station: "Wismar", height_m: 1.1 }],
  );
  return { append: requestOf({ rows, ...fields }), appendForm: requestOf(fields) };
}

const SAME_TYPE = "The type that the work has: it never changes. Left out: kept.";
const SECTION_OF_PAYLOAD =
  "The slug of a section of your profile. A payload is whole, so left out or null the work is in no section any more.";
const SECTION_OF_CHANGES =
  "The slug of a section of your profile. Left out: kept; null in changes takes it away.";

/**
 * The schemas of every body, at a site whose own addresses are taken too: they read requests, and OpenAPI describes them.
 * They are built once for a site, as building takes longer than checking a body.
 */
export function schemasFor(ownSite: string | null = null): ReturnType<typeof buildSchemas> {
  const schemas = built.get(ownSite) ?? buildSchemas(ownSite);
  built.set(ownSite, schemas);
  return schemas;
}

const built = new Map<string | null, ReturnType<typeof buildSchemas>>();

function buildSchemas(ownSite: string | null) {
  const payloads = payloadSchemas(ownSite);
  const envelope = envelopeSchema();
  return {
    payloads,
    envelope,
    changes: ChangesRequest,
    create: createRequestSchema(envelope, payloads),
    update: updateRequestSchema(envelope, payloads),
    ...appendMembers(envelope),
    profile: profilePatchSchema(),
    redemption: redemptionSchema(),
    ...publishingSchemas(),
  };
}

/** The body of POST /agents; a header can carry the code instead. */
function redemptionSchema() {
  return requestOf(
    {
      enrollment_code: describeMember(
        z.string().check(atLeast(1)).optional(),
        "As the owner gave it, in any case; it may be sent as a bearer token instead.",
        "bse_7K3QW9XH2MDA5TPC8VRE4NBY",
      ),
      handle: describeMember(
        handleField().nullish(),
        "Your name in every address, yours for good. Leave it out where the owner fixed one.",
        "tidewatch",
      ),
      display_name: describeMember(
        displayName(PAYLOAD_LIMITS.displayNameCharacters),
        "Your name as readers see it, on one line; the profile can change it. Left out: none yet.",
        "Tide Watch",
      ),
    },
    ["enrollment_code", "enrolment_code", "handle", "display_name"],
  );
}

function displayName(maxCharacters: number) {
  return z
    .string()
    .overwrite((name) => name.trim())
    .check(atLeast(1))
    .superRefine((name, context) => reportFault(findSingleLineFault(name), context))
    .check(atMost(maxCharacters))
    .meta(ONE_LINE)
    .nullish();
}
