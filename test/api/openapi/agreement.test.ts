import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeSchemas } from "../../../api/openapi/components.ts";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { parseProfilePatch } from "../../../shared/requests/parse-profile.ts";
import { LEAST, parseCreateRequest } from "../../shared/requests/samples.ts";
import { CODE, CONFIG, findFaults, ID } from "./body-readers.ts";

const described = describeSchemas(CONFIG);

/** A schema of the document, read back: what a client that trusts the document would send. */
function readBack(name: string): z.ZodType {
  const text = JSON.stringify({ ...(described[name] as object), $defs: described });
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}

const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, "", [], {}, ID, ID.toLowerCase(), `${ID}0`, CODE, "public", "private"],
  ),
  fc.constantFrom("unlisted", "tide", "a--b", "ab", "-ab", "a".repeat(30), "a".repeat(31), "admin", "Ti de"),
  fc.constantFrom("😀".repeat(80), "😀".repeat(81), "x".repeat(500), "x".repeat(501), "a\0b", "\ud800", " "),
  fc.constantFrom(
    "2027-03-01T00:00:00Z",
    "2027-03-01T00:00:00.5+05:30",
    "2027-02-29T00:00:00Z",
    "2026-01-01T00:00:00Z",
  ),
  fc.constantFrom(
    "2028-02-29T00:00:00Z",
    "2027-03-01T00:00Z",
    "2027-03-01t00:00:00z",
    "2027-03-01T24:00:00Z",
    "2027-03-01T00:00:00",
  ),
);

/** Routes of few members, with a body that each takes and the refusals that no JSON Schema can tell. */
const SMALL = [
  [
    "PublishRequest",
    "POST /api/v1/creations/:creation/publish",
    { revision_id: ID, visibility: "public" },
    [],
  ],
  [
    "ScheduleRequest",
    "POST /api/v1/creations/:creation/schedule",
    { revision_id: ID, publish_at: "2027-06-01T12:00:00Z", visibility: "unlisted" },
    [/^The publish_at must lie /],
  ],
  ["VisibilityRequest", "POST /api/v1/creations/:creation/visibility", { visibility: "unlisted" }, []],
  [
    "RestoreRequest",
    "POST /api/v1/creations/:creation/restore",
    { revision_id: ID, visibility: "unlisted", change_summary: "Again" },
    [/^The change_summary holds /],
  ],
  ["RevisionChoice", "POST /api/v1/agent/profile/publish", { revision_id: ID }, []],
  [
    "RedeemRequest",
    "POST /api/v1/agents",
    { enrollment_code: CODE, handle: "tide", display_name: "Tide" },
    [/^The display_name (?:holds |is required)/, / is reserved;/],
  ],
] as const;

const texts = ["Text", "x".repeat(40), "x".repeat(161), "😀".repeat(160), "", null, 1];
const links = [
  [],
  [{ title: "T", url: "https://example.org" }],
  [{ title: "T", url: "HTTPS://example.org/a?b", note: null }],
  [{ title: "T", url: "http://example.org" }],
];
const design = [
  null,
  { colors: ["#000000", "#FFFFFF"], pattern: "waves" },
  { colors: ["#000000"], pattern: "waves", seed: 1 },
];
const SAVING = {
  slug: ["a-b", "a--b", "A", "x".repeat(80), "x".repeat(81), null],
  section: ["news", "revisions", "-a-", "x".repeat(41), null],
  change_summary: texts,
  minor: [true, false, "yes"],
};
const WORK = {
  summary: texts,
  sources: links,
  references: [
    [],
    [{ creation_id: ID.toLowerCase(), relation: "uses" }],
    [{ creation_id: ID, relation: "likes" }],
  ],
  design,
  show_preview: [true, 1],
  destination_label: texts,
  repository_url: ["https://example.org/r", "ftp://example.org", null],
  entries: [[ID], [], ["x"]],
};
const PROFILE = {
  display_name: texts,
  tagline: texts,
  introduction_markdown: texts,
  about_markdown: [...texts, "x".repeat(5000), "x".repeat(5001)],
  topic_ids: [null, [], [ID], [ID, "x"]],
  public_links: [null, [{ label: "L", url: "https://example.org" }], [{ label: "" }]],
  featured_creation_ids: [null, [ID], Array(7).fill(ID)],
  linked_agent_ids: [null, [ID.toLowerCase()]],
  sections: [null, [], [{ slug: "news", name: "News" }], [{ slug: "revisions", name: "R" }]],
  accent: [null, "info", "blue"],
  design,
};

/** Some of these members, each with one of its values. */
function record(pool: Record<string, readonly unknown[]>): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(pool).map(([name, values]) => [name, fc.constantFrom(...values)] as const);
  return fc.subarray(members, { maxLength: 3 }).chain((some) => fc.record(Object.fromEntries(some)));
}

describe("the document and the reader agree", () => {
  it.each(SMALL)("on %s", async (name, route, whole, untold) => {
    const schema = readBack(name);
    const members = fc.constantFrom(...Object.keys(whole));
    const changes = fc.array(
      fc.tuple(
        fc.oneof({ weight: 6, arbitrary: members }, { weight: 1, arbitrary: fc.constant("other") }),
        value,
      ),
      { maxLength: 2 },
    );
    const counts = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.subarray(Object.entries(whole)), changes, async (kept, changed) => {
        const body = Object.fromEntries([...kept, ...changed]);
        // Codes are not all of one form, and null stands for a code in the header.
        if ("enrollment_code" in body && body.enrollment_code !== "") body.enrollment_code = CODE;
        const faults = await findFaults(route, body);
        counts[faults === null ? "taken" : "refused"]++;
        const isDescribed = schema.safeParse(body).success;
        if (!isDescribed) expect({ body, faults }).not.toEqual({ body, faults: null });
        const told = Object.values(faults ?? {})
          .flat()
          .filter((fault) => !untold.some((sentence) => sentence.test(fault)));
        if (isDescribed) expect({ body, told }).toEqual({ body, told: [] });
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(50);
  });

  it("on creations: whatever is taken is described", () => {
    const [create, update] = [readBack("CreateCreationRequest"), readBack("UpdateCreationRequest")];
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...CREATION_TYPES), record(SAVING), record(WORK), (type, saving, work) => {
        const payload = { ...LEAST[type], ...work };
        const outcome = parseCreateRequest({ type, ...saving, payload });
        if (!outcome.ok) return;
        taken++;
        for (const [schema, body] of [
          [create, { type, ...saving, payload }],
          [update, { ...saving, payload }],
        ] as const) {
          expect({ body, faults: schema.safeParse(body).error?.issues }).toEqual({ body, faults: undefined });
        }
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it("on profiles: whatever is taken is described, and an empty patch is neither", () => {
    const schema = readBack("ProfilePatch");
    let taken = 0;
    fc.assert(
      fc.property(record(PROFILE), (body) => {
        if (!parseProfilePatch(body).ok) return;
        taken++;
        expect({ body, faults: schema.safeParse(body).error?.issues }).toEqual({ body, faults: undefined });
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(100);
    expect(described.ProfilePatch).toMatchObject({ minProperties: 1 });
    expect(parseProfilePatch({}).ok).toBe(false);
  });
});
