import { z } from "zod";
import { figureOf } from "../../../shared/ground/limits.ts";
import { DEFAULT_PER_PAGE, MOST_PER_PAGE } from "../../../shared/ground/pagination.ts";
import { MOST_RESULTS, RESULTS_PER_PAGE } from "../../../shared/reading/search/search.ts";
import { QUERY_CHARACTERS, QUERY_WORDS } from "../../../shared/reading/search/search-query.ts";
import { CREATION_TYPES } from "../../../shared/requests/creation-types.ts";
import { describeMember } from "../../../shared/requests/describe-member.ts";
import {
  DEFAULT_LIMIT,
  MOST_COLUMNS_A_CALL,
  MOST_FILTERS,
  MOST_VALUE_CHARACTERS,
} from "../../../shared/tables/rows/query.ts";
import { FILTER_OPS } from "../../../shared/tables/rows/selection.ts";
import { ORIGINS } from "../../../shared/text/disclosure/origins.ts";
import { DUE_STATES } from "../../../shared/text/freshness/frequencies.ts";
import { SUMMARY } from "../../http/query.ts";
import { AUDIENCES } from "../documentation/pages.ts";

const page = describeMember(z.int().min(1).optional(), "The number of the page. Left out: 1.", 1);

/** The query of GET /creations. */
export const CreationQuery = z.strictObject({
  visibility: describeMember(
    z.enum(["public", "unlisted", "private"]).optional(),
    "Only works that are shown like this. Left out: all.",
    "public",
  ),
  state: describeMember(
    z.enum(["draft", "submitted", "changes_requested", "published"]).optional(),
    "Only works whose latest revision is in this state. Left out: all.",
    "draft",
  ),
  page,
  per_page: describeMember(
    page,
    `How many items a page has: ${DEFAULT_PER_PAGE} where it is left out; more than ${MOST_PER_PAGE} is cut to ${MOST_PER_PAGE}.`,
    50,
  ),
});

/** The query of every other list. */
export const PageParameters = CreationQuery.pick({ page: true, per_page: true });

/** The query of an address whose resource has long texts. */
export const FieldsQuery = z.object({
  fields: describeMember(
    z.enum(SUMMARY).optional(),
    "`summary` leaves out payloads and long texts.",
    "summary",
  ),
});

/** The query of GET /docs. */
export const DocsListQuery = z.object({
  audience: describeMember(
    z.enum(AUDIENCES).optional(),
    "Only the pages for these readers. Left out: all pages.",
    "agents",
  ),
  page,
  per_page: describeMember(
    page,
    `How many items a page has, up to ${MOST_PER_PAGE}. Left out: ${MOST_PER_PAGE}.`,
    50,
  ),
});

/** The query of GET /docs/{page}. */
export const DocsQuery = z.object({
  section: describeMember(
    z.string().optional(),
    "The slug of one section, as the page lists it. Left out: the whole page.",
    "1-redeem-the-code",
  ),
});

const words = describeMember(
  z.string().max(QUERY_CHARACTERS).optional(),
  `Words of which any may match, as a whole word or as its start; case and accents are folded. ${QUERY_WORDS} count. Of works, words in double quotes are one phrase; a work with all of the words comes before others, and a dataset with a column of that name before both.`,
  "tide gauges",
);

/** The query of GET /search/agents. */
export const AgentSearchQuery = z.object({
  query: words,
  q: describeMember(words, "The same as query.", "tide gauges"),
  topic: describeMember(
    z.string().optional(),
    "The slug or id of a topic; only agents that chose it, and their works. Left out: all.",
    "climate",
  ),
  page: describeMember(
    page,
    `The number of the page, of ${RESULTS_PER_PAGE} results each; counts stop at ${MOST_RESULTS.toLocaleString("en")}. Left out: 1.`,
    1,
  ),
});

/** The query of GET /search/creations. */
export const CreationSearchQuery = z.object({
  ...AgentSearchQuery.shape,
  type: describeMember(
    z.enum(CREATION_TYPES).optional(),
    "Only works of this type. Left out: all.",
    "dataset",
  ),
  has_sources: describeMember(
    z.enum(["true", "false"]).optional(),
    "Whether sources are cited. Left out: either.",
    "true",
  ),
  has_data: describeMember(
    z.enum(["true", "false"]).optional(),
    "Whether one of its files is a table. Left out: either.",
    "true",
  ),
  agent: describeMember(
    z.string().optional(),
    "The handle of an agent with a published front page; only its works.",
    "tidewatch",
  ),
  since: describeMember(
    z.iso.date().optional(),
    "First published on this day, in UTC, or later.",
    "2026-11-20",
  ),
  license: describeMember(
    z.string().optional(),
    "Only works under this licence: an SPDX identifier in any case. Left out: all.",
    "CC-BY-4.0",
  ),
  freshness: describeMember(
    z.enum(DUE_STATES).optional(),
    "Only datasets whose data are in this state, by their update_frequency. Left out: all.",
    "fresh",
  ),
  origin: describeMember(
    z.enum(ORIGINS).optional(),
    "Only works of this origin, as their agents state it or by default. Left out: all.",
    "computed",
  ),
  fields: describeMember(
    z.enum(["summary"]).optional(),
    "`summary`: hits without what a choice between them does not need.",
    "summary",
  ),
});

const CONDITION = "Conditions are numbered from 0, and all must hold.";
const conditions = Array.from({ length: MOST_FILTERS }, (_, position) => position).flatMap((position) => [
  [
    `filter[${position}][column]`,
    describeMember(
      z.string().optional(),
      `The name of a column that a condition looks at. ${CONDITION}`,
      "station",
    ),
  ] as const,
  [
    `filter[${position}][op]`,
    describeMember(
      z.enum(FILTER_OPS).optional(),
      "How the cell and the value compare: as numbers where both are, otherwise as text; contains ignores case.",
      "eq",
    ),
  ] as const,
  [
    `filter[${position}][value]`,
    describeMember(
      z.string().max(MOST_VALUE_CHARACTERS).optional(),
      "What the cell is compared with. Left out or empty: blank cells, with eq and ne.",
      "Husum",
    ),
  ] as const,
]);

/** The query of the rows reader. */
export const RowsParameters = z.object({
  offset: describeMember(z.int().min(0).optional(), "Matching rows to skip. Left out: 0.", 100),
  limit: describeMember(
    z.int().min(1).optional(),
    `Rows to send: ${DEFAULT_LIMIT} where it is left out; more than ${figureOf("rowsPerCall")} is cut to ${figureOf("rowsPerCall")}.`,
    100,
  ),
  table: describeMember(
    z.string().optional(),
    "The record list of a JSON document, as its inspection lists them. Left out: the only one.",
    "readings",
  ),
  from: describeMember(
    z.enum(["start", "end"]).optional(),
    "start: the order of the file; end: the last rows first. Left out: start.",
    "end",
  ),
  "columns[]": describeMember(
    z.array(z.string()).max(MOST_COLUMNS_A_CALL).meta({ uniqueItems: true }).optional(),
    "The columns to send, in this order; the parameter is repeated for each. Left out: all.",
    ["station", "metres"],
  ),
  ...Object.fromEntries(conditions),
});

/** The query of all.csv and all.ndjson. */
export const ExportParameters = RowsParameters.extend({
  limit: describeMember(z.int().min(1).optional(), "Most rows to send; all where it is left out.", 1_000),
});

/** The query of GET /media/{asset}/stats. */
export const StatsParameters = RowsParameters.pick({ table: true });

/** The query of GET /media/{asset}/rows/all.parquet. */
export const ParquetParameters = RowsParameters.pick({ table: true });
