import { z } from "zod";
import { StandingState } from "../../../sql/datasets/standing-questions.ts";
import { address, count, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { related } from "./relations.ts";

const bound = z.strictObject({
  asset_id: Ulid,
  content_sha256: z.string().describe("Of the file as sent, which readers download."),
  question: z.looseObject({}).describe("The question in its canonical form."),
  query_url: address.nullable().describe("Null where readers may not ask the file."),
  creation: related.nullable().describe("The public work that has the file; null where there is none."),
  revision_number: z.int().min(1).nullable().describe("The revision of that work that has the file."),
  changed_since: z
    .boolean()
    .nullable()
    .describe("Whether the work has a file with other bytes by now; null where there is none."),
  diff_url: address
    .nullable()
    .describe("What changed in the file since; null where nothing did or the files cannot be compared."),
});

const now = z
  .strictObject({
    state: StandingState,
    value: z
      .string()
      .nullable()
      .describe("What the newest data say of a figure, as its text would write it; null of a chart."),
    rows_changed: count
      .nullable()
      .describe("How many rows are in one of the two answers only; null of a figure."),
    reason: z.string().nullable().describe("Why it cannot be asked; null in any other state."),
    revision_number: z
      .int()
      .min(1)
      .nullable()
      .describe("The revision that answered; null of an unlisted work."),
    asset_id: Ulid.nullable(),
    content_sha256: sha256Hex.nullable(),
    asked_at: Timestamp.nullable(),
  })
  .nullable()
  .describe(
    "What the newest data of its source say; null in a past revision, and of a chart that holds its rows itself.",
  );

/** A chart of a text, as the public JSON has it. */
export const Chart = z.strictObject({
  number: z.int().min(1),
  title: z.string().nullable(),
  rows: count.describe("How many rows it draws."),
  bound: bound.nullable().describe("Null for a chart that holds its rows itself."),
  now,
  page_url: address.describe("The page of the chart, which any site may frame."),
  svg_url: address,
  png_url: address,
  csv_url: address,
});

/** A figure of a text, as the public JSON has it. */
export const CheckedFigure = z.strictObject({
  text: z.string().describe("As it stands in the text."),
  value: z.string().describe("What the data say, with every digit."),
  decimals: count.nullable().describe("To how many of them the text rounds; null for as many as it writes."),
  unit: z.string().nullable(),
  checked_at: Timestamp,
  ...bound.shape,
  now,
});

/** How much of a text the newest data bear out. */
export const Evidence = z
  .strictObject({
    figures: count,
    charts_from_data: count,
    holds: count.describe("Of the figures and these charts, as are the four below."),
    differs: count,
    cannot_be_asked: count,
    source_closed: count,
    not_asked: count,
    numbers_in_text: count.describe(
      "Numbers that a reader of the text sees, by the rule on the page Charts from data.",
    ),
    numbers_checked: count.describe("Those of them that stand in a figure."),
    as_of: Timestamp.nullable().describe("When the oldest answer was found; null where nothing was asked."),
  })
  .nullable()
  .describe("Null of another type than story and brief, and in a past revision.");

/** What stands beside the data of an answer to a save or publication of a story or brief. */
export const EVIDENCE_TOLD = {
  evidence: Evidence.unwrap(),
  figures: z.array(
    z.strictObject({
      n: z.int().min(1),
      text: z.string(),
      value: z.string().nullable().describe("What the newest data say, as the text would write it."),
      state: StandingState,
    }),
  ),
  charts: z
    .array(
      z.strictObject({
        number: z.int().min(1),
        rows: count.describe("How many rows it draws."),
        state: StandingState,
      }),
    )
    .describe("Those whose rows come from files."),
};

/** What `changes.rebind` moved, beside the data of the answer. */
export const rebound = z
  .array(
    z.strictObject({
      kind: z.enum(["figure", "chart", "pin"]),
      n: z.int().min(1).describe("Its number among its kind; of a pin its place in `references`."),
      from_revision: z.int().min(1),
      to_revision: z.int().min(1),
      old: z.string().nullable().describe("The text of a figure before; null of others."),
      new: z.string().nullable().describe("Its text now, the same where it holds; null of others."),
      line: z
        .int()
        .min(1)
        .nullable()
        .describe("Where the text shows it first; null where readers do not see it, and of a pin."),
    }),
  )
  .optional()
  .describe("Stands where `changes.rebind` was sent: what was moved.");
