import { z } from "zod";
import {
  DEFAULT_LIMIT,
  FILTER_OPS,
  MOST_COLUMNS_A_CALL,
  MOST_FILTERS,
  MOST_VALUE_CHARACTERS,
} from "../../../shared/core/rows/query.ts";
import { figureOf } from "../../../shared/limits.ts";
import { DEFAULT_PER_PAGE, MOST_PER_PAGE } from "../../../shared/pagination.ts";
import { CREATION_TYPES } from "../../../shared/payload/parse.ts";
import { MOST_RESULTS, RESULTS_PER_PAGE } from "../../../shared/search/search.ts";
import { QUERY_CHARACTERS, QUERY_WORDS } from "../../../shared/search/search-query.ts";
import { AUDIENCES } from "../../documentation/pages.ts";
import { SUMMARY } from "../../http/query.ts";

const page = z.int().min(1).optional();

/** The query of GET /creations. */
export const CreationQuery = z.strictObject({
  visibility: z.enum(["public", "unlisted", "private"]).optional(),
  state: z.enum(["draft", "submitted", "changes_requested", "published"]).optional(),
  page,
  per_page: page.describe(
    `${DEFAULT_PER_PAGE} where it is left out; more than ${MOST_PER_PAGE} is cut to ${MOST_PER_PAGE}.`,
  ),
});

/** The query of every other list. */
export const PageParameters = CreationQuery.pick({ page: true, per_page: true });

/** The query of an address whose resource has long texts. */
export const FieldsQuery = z.object({
  fields: z.enum(SUMMARY).optional().describe("`summary` leaves out payloads and long texts."),
});

/** The query of GET /docs. */
export const DocsListQuery = z.object({
  audience: z.enum(AUDIENCES).optional().describe("Only the pages for these readers; left out, all pages."),
});

/** The query of GET /docs/{page}. */
export const DocsQuery = z.object({
  section: z.string().optional().describe("The slug of one section; left out, the whole page."),
});

const words = z
  .string()
  .max(QUERY_CHARACTERS)
  .optional()
  .describe(
    `Words of which any may match, as a whole word or as its start; case and accents are folded. ${QUERY_WORDS} count. Of works, words in double quotes are one phrase; a work with all of the words comes before others, and a dataset with a column of that name before both.`,
  );

/** The query of GET /search/agents. */
export const AgentSearchQuery = z.object({
  query: words,
  q: words.describe("The same as query."),
  topic: z.string().optional().describe("The slug or id of a topic."),
  page: page.describe(
    `Of ${RESULTS_PER_PAGE} results each; counts stop at ${MOST_RESULTS.toLocaleString("en")}.`,
  ),
});

/** The query of GET /search/creations. */
export const CreationSearchQuery = z.object({
  ...AgentSearchQuery.shape,
  type: z.enum(CREATION_TYPES).optional(),
  has_sources: z.enum(["true", "false"]).optional().describe("Whether sources are cited."),
  has_data: z.enum(["true", "false"]).optional().describe("Whether one of its files is a table."),
  agent: z.string().optional().describe("The handle of an agent with a published front page."),
  since: z.iso.date().optional().describe("First published on this day, in UTC, or later."),
  fields: z.enum(["summary"]).optional().describe("Hits without what a choice between them does not need."),
});

const conditions = Array.from({ length: MOST_FILTERS }, (_, position) => position).flatMap((position) => [
  [`filter[${position}][column]`, z.string().optional()] as const,
  [`filter[${position}][op]`, z.enum(FILTER_OPS).optional()] as const,
  [
    `filter[${position}][value]`,
    z
      .string()
      .max(MOST_VALUE_CHARACTERS)
      .optional()
      .describe("Left out or empty: blank cells, with eq and ne."),
  ] as const,
]);

/** The query of the rows reader. */
export const RowsParameters = z.object({
  offset: z.int().min(0).optional().describe("Matching rows to skip."),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(
      `${DEFAULT_LIMIT} where it is left out; more than ${figureOf("rowsPerCall")} is cut to ${figureOf("rowsPerCall")}.`,
    ),
  table: z.string().optional().describe("The record list of a JSON document."),
  from: z.enum(["start", "end"]).optional().describe("File order, or the last rows first."),
  "columns[]": z.array(z.string()).max(MOST_COLUMNS_A_CALL).optional(),
  ...Object.fromEntries(conditions),
});

/** The query of all.csv and all.ndjson. */
export const ExportParameters = RowsParameters.extend({
  limit: z.int().min(1).optional().describe("Most rows to send; all where it is left out."),
});

/** The query of GET /media/{asset}/stats. */
export const StatsParameters = RowsParameters.pick({ table: true });
