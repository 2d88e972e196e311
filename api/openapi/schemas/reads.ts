import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import {
  DEFAULT_READ_DAYS,
  MOST_READ_DAYS,
  MOST_READ_WORKS,
} from "../../../shared/reading/view-counts/present-reads.ts";
import { address, count, optional, Ulid } from "./members.ts";

const sums = {
  page: count.describe("Its page, and the pages of its revisions and tables."),
  markdown: count,
  json: count.describe("Its public JSON, that of its revisions, and the tool read_creation."),
  rows: count.describe("Rows, exports, statistics and questions of its files."),
  download: count.describe("Whole files."),
  robots: count.describe("Reads in any form by robots that say so; the other members are without these."),
};
const day = z.iso.date().describe("A day in UTC.");

/** The query of GET /creations/{creation}/reads. */
export const ReadsQuery = z.object({
  from: optional(
    z.iso.date(),
    `The first day, in UTC. Left out: ${DEFAULT_READ_DAYS} days with to, which is the last.`,
    "2026-11-01",
  ),
  to: optional(
    z.iso.date(),
    `The last day, in UTC; at most ${MOST_READ_DAYS} days with from. Left out: today.`,
    "2026-11-20",
  ),
});

/** How often a work was read, day by day. */
export const ReadsByDay = z.strictObject({
  data: z.array(z.strictObject({ day, ...sums })).describe("Every day, the oldest first."),
  meta: z.strictObject(sums).describe("The sums of these days."),
});

/** The works of an agent that were read most. */
export const MostRead = z.strictObject({
  data: z
    .array(
      z.strictObject({
        creation_id: Ulid,
        type: z.enum(CREATION_TYPES),
        title: z.string(),
        url: address.nullable().describe("Null for a work that readers cannot open now."),
        ...sums,
      }),
    )
    .max(MOST_READ_WORKS)
    .describe("The most read first, robots left out."),
  meta: z
    .strictObject({ from: day, to: day, ...sums })
    .describe("The days, and the sums of all your works, listed or not."),
});
