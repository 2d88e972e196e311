import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../shared/requests/explain.ts";
import {
  parseProfilePublishRequest,
  parsePublishRequest,
  parseRestoreRequest,
  parseScheduleRequest,
  parseVisibilityRequest,
} from "../../../shared/requests/parse-publishing.ts";
import { parseRedemptionRequest } from "../../../shared/requests/parse-redemption.ts";
import { readBody } from "../../../shared/requests/read-body.ts";
import { EmptyRequest } from "../../../shared/requests/small-requests.ts";
import { ID } from "./samples.ts";

const NOW = Date.UTC(2027, 0, 1);
const schedule = (body: unknown, days = 365) => parseScheduleRequest(body, { nowMs: NOW, days });
const redeem = (body: unknown, headerCode?: string) => parseRedemptionRequest(body, headerCode);

/** The problems in the order in which they are told. */
function problemsOf(outcome: Outcome<unknown>): [string, string[]][] {
  return outcome.ok ? [] : Object.entries(outcome.errors);
}

describe("a request of few members is taken", () => {
  const lower = ID.toLowerCase();
  test.each([
    [parsePublishRequest(undefined), { revisionId: null, visibility: null }],
    [parsePublishRequest({ revision_id: null }), { revisionId: null, visibility: null }],
    [parsePublishRequest({ revision_id: lower }), { revisionId: ID, visibility: null }],
    [parsePublishRequest({ revision_id: ID, visibility: null }), { revisionId: ID, visibility: null }],
    [
      schedule({ revision_id: ID, publish_at: "2027-01-31T18:00:00.5+01:00", visibility: "public" }),
      { revisionId: ID, visibility: "public", publishMs: Date.UTC(2027, 0, 31, 17, 0, 0, 500) },
    ],
    [
      schedule({ publish_at: "2027-01-31T17:00:00.499999999999999Z" }),
      { revisionId: null, visibility: null, publishMs: Date.UTC(2027, 0, 31, 17, 0, 0, 499) },
    ],
    [parseVisibilityRequest({ visibility: "unlisted" }), "unlisted"],
    [
      parseRestoreRequest({ revision_id: ID, change_summary: " a\r\nb " }),
      { revision: ID, visibility: "public", changeSummary: "a\nb", correction: false },
    ],
    [
      parseRestoreRequest({ revision_id: ID, visibility: "unlisted", change_summary: " " }),
      { revision: ID, visibility: "unlisted", changeSummary: null, correction: false },
    ],
    [parseProfilePublishRequest({ id: lower }), { revisionId: ID }],
    [parseProfilePublishRequest({ revision_id: null, id: ID }), { revisionId: ID }],
    [parseProfilePublishRequest(undefined), { revisionId: null }],
    [readBody(EmptyRequest, undefined), {}],
    [redeem({ enrolment_code: "c" }, "d"), { code: "c", handle: null, displayName: null }],
    [redeem(null, "d"), { code: "d", handle: null, displayName: null }],
    [
      redeem({ enrollment_code: "c", handle: "tide", display_name: " Tide " }),
      { code: "c", handle: "tide", displayName: "Tide" },
    ],
  ])("as %j", (outcome, value) => {
    expect(outcome).toEqual({ ok: true, value });
  });
});

const AN_ID = ["revision_id", ["The revision_id must be a ULID."]];
const NO_OBJECT = ["body", ["The body must be a JSON object."]];
const NO_CODE = ["enrollment_code", ["The enrollment_code is required."]];
const NO_TIME = ["publish_at", ["The publish_at must be a time with a zone, such as 2027-01-31T18:00:00Z."]];
const HANDLE =
  "The handle must be 3 to 30 lowercase letters, digits or single hyphens, without a hyphen at either end.";

describe("a request of few members is refused", () => {
  test("for an unknown member first, and names the first twenty", () => {
    const other = [
      "other",
      ["This member is not known here. The allowed members are revision_id, visibility."],
    ];
    const shown = ["visibility", ["The visibility must be public or unlisted."]];
    expect(problemsOf(parsePublishRequest({ visibility: "private", other: 1 }))).toEqual([other, shown]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`m${place}`, 1]));
    expect(problemsOf(parsePublishRequest({ revision_id: ID, ...many }))).toHaveLength(21);
    expect(problemsOf(readBody(EmptyRequest, { other: 1 }))).toEqual([
      ["other", ["This member is not known here. This address takes none."]],
    ]);
  });

  test("for what is no object", () => {
    expect(problemsOf(parsePublishRequest([]))).toEqual([NO_OBJECT]);
    expect(problemsOf(readBody(EmptyRequest, null))).toEqual([NO_OBJECT]);
    expect(problemsOf(redeem("bse_"))).toEqual([NO_CODE]);
  });

  test.each([
    [{ publish_at: "2027-02-29T00:00:00Z" }, [NO_TIME]],
    [{ revision_id: 5, publish_at: `2027-03-01T00:00:00.${"9".repeat(31)}Z` }, [AN_ID, NO_TIME]],
    [{ revision_id: ID, publish_at: "2027-03-01T00:00:00" }, [NO_TIME]],
    [
      { revision_id: ID, other: 1 },
      [
        [
          "other",
          ["This member is not known here. The allowed members are revision_id, publish_at, visibility."],
        ],
        ["publish_at", ["The publish_at is required, such as 2027-01-31T18:00:00Z."]],
      ],
    ],
    [
      { publish_at: "2027-01-01T00:00:00Z" },
      [
        [
          "publish_at",
          [expect.stringMatching(/^The publish_at must lie in the future; the service's time is 2027-/)],
        ],
      ],
    ],
    [
      { revision_id: ID, publish_at: "2028-01-01T00:00:01Z" },
      [["publish_at", ["The publish_at must lie within the next 365 days."]]],
    ],
  ])("to be scheduled by %j", (body, problems) => {
    expect(problemsOf(schedule(body))).toEqual(problems);
  });

  test.each([
    [null, "The visibility is required: public or unlisted."],
    ["private", "The visibility must be public or unlisted; to make it private, unpublish it."],
  ])("to be seen by %j", (visibility, sentence) => {
    expect(problemsOf(parseVisibilityRequest({ visibility }))).toEqual([["visibility", [sentence]]]);
  });

  test.each([
    [5, "The change_summary must be text, in quotes."],
    ["a\0", "The change_summary holds a control character; only tab and newline are allowed."],
    ["x".repeat(501), "The change_summary is longer than 500 characters (it has 501)."],
    [
      `${"x".repeat(501)}\0`,
      "The change_summary holds a control character; only tab and newline are allowed.",
    ],
  ])("to be restored with the summary %j", (change_summary, sentence) => {
    const body = { revision_id: ID, change_summary };
    expect(problemsOf(parseRestoreRequest(body))).toEqual([["change_summary", [sentence]]]);
  });

  test.each([
    [undefined, "The revision_id is required."],
    [null, "The revision_id is required."],
    ["", "The revision_id must be the id or the number of a revision."],
    [0, "The revision_id must be at least 1."],
    [1.5, "The revision_id must be the id or the number of a revision."],
    ["07", "The revision_id must be the id or the number of a revision."],
  ])("to be restored from revision %j", (revision_id, sentence) => {
    const problems = problemsOf(parseRestoreRequest({ revision_id }));
    expect(problems).toEqual([["revision_id", [sentence]]]);
  });

  test("to publish a profile", () => {
    expect(problemsOf(parseProfilePublishRequest({ other: 1 }))).toEqual([
      ["other", ["This member is not known here. The allowed members are revision_id."]],
    ]);
    expect(problemsOf(parseProfilePublishRequest([]))).toEqual([
      ["body", ["The body must be a JSON object."]],
    ]);
    expect(problemsOf(parseProfilePublishRequest({ id: "x" }))).toEqual([AN_ID]);
    expect(problemsOf(parseProfilePublishRequest({ revision_id: ID, id: ID.replace(/.$/, "0") }))).toEqual([
      ["id", ["The id is another name of revision_id; send one of them."]],
    ]);
  });

  test.each([
    [{ enrollment_code: "", enrolment_code: "c" }, [NO_CODE]],
    [
      { enrollment_code: "c", enrolment_code: "d", handle: "tide" },
      [["enrolment_code", ["The enrolment_code is another name of enrollment_code; send one of them."]]],
    ],
    [{ enrolment_code: 5 }, [["enrollment_code", ["The enrollment_code must be text, in quotes."]]]],
    [{ enrolment_code: "c", handle: 5 }, [["handle", [HANDLE]]]],
    [{ enrolment_code: "c", handle: "a--b" }, [["handle", [HANDLE]]]],
    [
      { enrolment_code: "c", handle: "api" },
      [["handle", ["The handle api is reserved; choose another one."]]],
    ],
    [{ enrolment_code: "c", display_name: " " }, [["display_name", ["The display_name is required."]]]],
    [
      { display_name: "x".repeat(81), other: 1 },
      [
        NO_CODE,
        ["display_name", ["The display_name is longer than 80 characters (it has 81)."]],
        [
          "other",
          [
            "This member is not known here. The allowed members are enrollment_code, enrolment_code, handle, display_name.",
          ],
        ],
      ],
    ],
  ])("to redeem a code by %j", (body, problems) => {
    expect(problemsOf(redeem(body))).toEqual(problems);
  });
});
