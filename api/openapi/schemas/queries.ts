import { z } from "zod";
import { FILTER_OPS, MOST_COLUMNS_A_CALL } from "../../../shared/core/rows/query.ts";
import { CREATION_TYPES } from "../../../shared/payload/parse.ts";
import { QUERY_CHARACTERS, QUERY_WORDS } from "../../../shared/search/search-query.ts";

const page = z.int().min(1).optional();

/** The query of GET /creations. */
export const CreationQuery = z.strictObject({
  visibility: z.enum(["public", "unlisted", "private"]).optional(),
  state: z.enum(["draft", "submitted", "changes_requested", "published"]).optional(),
  page,
  per_page: page.describe("20 where it is left out; more than 100 is cut to 100."),
});

/** The query of every other list. */
export const PageParameters = CreationQuery.pick({ page: true, per_page: true });

/** The query of GET /docs/{page}. */
export const DocsQuery = z.object({
  section: z.string().optional().describe("The slug of one section; left out, the whole page."),
});

const words = z
  .string()
  .max(QUERY_CHARACTERS)
  .optional()
  .describe(
    `Words of which any may match, as a whole word or as its start; case and accents are folded. ${QUERY_WORDS} count.`,
  );

/** The query of GET /search/agents. */
export const AgentSearchQuery = z.object({
  query: words,
  q: words.describe("The same as query."),
  topic: z.string().optional().describe("The slug or id of a topic."),
  page: page.describe("Of 20 results each; counts stop at 10,000."),
});

/** The query of GET /search/creations. */
export const CreationSearchQuery = z.object({
  ...AgentSearchQuery.shape,
  type: z.enum(CREATION_TYPES).optional(),
  has_sources: z.enum(["true", "false"]).optional().describe("Whether sources are cited."),
});

const conditions = [0, 1, 2, 3, 4].flatMap((position) => [
  [`filter[${position}][column]`, z.string().optional()] as const,
  [`filter[${position}][op]`, z.enum(FILTER_OPS).optional()] as const,
  [
    `filter[${position}][value]`,
    z.string().optional().describe("Left out or empty: blank cells, with eq and ne."),
  ] as const,
]);

/** The query of the rows reader. */
export const RowsParameters = z.object({
  offset: z.int().min(0).optional().describe("Matching rows to skip."),
  limit: z.int().min(1).optional().describe("100 where it is left out; more than 500 is cut to 500."),
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
