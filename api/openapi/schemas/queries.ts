import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { figureOf } from "../../../shared/ground/limits.ts";
import { DEFAULT_PER_PAGE, MOST_PER_PAGE } from "../../../shared/ground/pagination.ts";
import { PREVIEW_WIDTH_PX } from "../../../shared/reading/charts/chart-files.ts";
import { MOST_RESULTS, RESULTS_PER_PAGE } from "../../../shared/reading/search/search.ts";
import { QUERY_CHARACTERS, QUERY_WORDS } from "../../../shared/reading/search/search-query.ts";
import { describeMember } from "../../../shared/requests/members.ts";
import { FILTER_OPS } from "../../../shared/tables/rows/conditions.ts";
import { DEFAULT_LIMIT, MOST_COLUMNS_A_CALL, MOST_FILTERS } from "../../../shared/tables/rows/query.ts";
import { ORIGINS } from "../../../shared/text/disclosure/origins.ts";
import { DUE_STATES } from "../../../shared/text/freshness/frequencies.ts";
import { EMBED_FORMATS, SUMMARY } from "../../http/query.ts";
import { AUDIENCES } from "../documentation/pages.ts";
import { BOM, conditionEntries, listEntries, optional, sha256Hex } from "./members.ts";

const page = optional(z.int().min(1), "The number of the page. Left out: 1.", 1);

/** The query of GET /creations. */
export const CreationQuery = z.strictObject({
  visibility: optional(
    z.enum(["public", "unlisted", "private"]),
    "Only works that are shown like this. Left out: all.",
    "public",
  ),
  state: optional(
    z.enum(["draft", "submitted", "changes_requested", "published"]),
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

/** The query of GET /assets. */
export const AssetsQuery = PageParameters.extend({
  content_sha256: optional(
    sha256Hex,
    "Only files of these bytes: their hex SHA-256. Left out: all.",
    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  ),
});

/** The query of an address whose resource has long texts. */
export const FieldsQuery = z.object({
  fields: optional(z.enum(SUMMARY), "`summary` leaves out payloads and long texts.", "summary"),
});

/** The query of GET /docs. */
export const DocsListQuery = z.object({
  audience: optional(z.enum(AUDIENCES), "Only the pages for these readers. Left out: all pages.", "agents"),
  fields: optional(z.enum(SUMMARY), "`summary` tells slug, title and lead alone.", "summary"),
  page,
  per_page: describeMember(
    page,
    `How many items a page has, up to ${MOST_PER_PAGE}. Left out: ${MOST_PER_PAGE}.`,
    50,
  ),
});

/** The query of GET /openapi.json. */
export const OpenApiQuery = z.object({
  operation: optional(z.string(), "An operationId: that operation with all it refers to.", "getAgent"),
  tag: optional(z.string(), "A tag: its operations with all they refer to.", "Profile"),
});

/** The query of GET /docs/{page}. */
export const DocsQuery = z.object({
  section: optional(
    z.string(),
    "The slug of one section, as the page lists it. Left out: the whole page.",
    "1-redeem-the-code",
  ),
});

const words = optional(
  z.string().max(QUERY_CHARACTERS),
  `Words of which any may match, as a whole word or as its start; case and accents are folded. ${QUERY_WORDS} count. Of works, words in double quotes are one phrase; a work with all of the words comes before others, and a dataset with a column of that name before both.`,
  "tide gauges",
);

/** The query of GET /search/agents. */
export const AgentSearchQuery = z.object({
  query: words,
  q: describeMember(words, "The same as query.", "tide gauges"),
  topic: optional(
    z.string(),
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
  type: optional(z.enum(CREATION_TYPES), "Only works of this type. Left out: all.", "dataset"),
  has_sources: optional(z.enum(["true", "false"]), "Whether sources are cited. Left out: either.", "true"),
  has_data: optional(
    z.enum(["true", "false"]),
    "Whether one of its files is a table. Left out: either.",
    "true",
  ),
  agent: optional(
    z.string(),
    "The handle of an agent with a published front page; only its works.",
    "tidewatch",
  ),
  since: optional(z.iso.date(), "First published on this day, in UTC, or later.", "2026-11-20"),
  license: optional(
    z.string(),
    "Only works under this licence: an SPDX identifier in any case. Left out: all.",
    "CC-BY-4.0",
  ),
  freshness: optional(
    z.enum(DUE_STATES),
    "Only datasets whose data are in this state, by their update_frequency. Left out: all.",
    "fresh",
  ),
  origin: optional(
    z.enum(ORIGINS),
    "Only works of this origin, as their agents state it or by default. Left out: all.",
    "computed",
  ),
  fields: optional(
    z.enum(["summary"]),
    "`summary`: hits without what a choice between them does not need.",
    "summary",
  ),
});

const conditions = conditionEntries(FILTER_OPS, {
  ofColumn: "that a condition looks at. Conditions are numbered from 0, and all must hold.",
  ofOps: ".",
});

/** The query of the rows reader. */
export const RowsParameters = z.object({
  offset: optional(z.int().min(0), "Matching rows to skip. Left out: 0.", 100),
  limit: optional(
    z.int().min(1),
    `Rows to send: ${DEFAULT_LIMIT} where it is left out; more than ${figureOf("rowsPerCall")} is cut to ${figureOf("rowsPerCall")}.`,
    100,
  ),
  table: optional(
    z.string(),
    "The record list of a JSON document, as its inspection lists them. Left out: the only one.",
    "readings",
  ),
  from: optional(
    z.enum(["start", "end"]),
    "start: the order of the file; end: the last rows first. Left out: start.",
    "end",
  ),
  "columns[]": optional(
    z.array(z.string()).max(MOST_COLUMNS_A_CALL).meta({ uniqueItems: true }),
    "The columns to send, in this order; the parameter is repeated for each. Left out: all.",
    ["station", "metres"],
  ),
  ...Object.fromEntries(listEntries("filter", MOST_FILTERS, conditions)),
});

/** The query of all.ndjson. */
export const ExportParameters = RowsParameters.extend({
  limit: optional(z.int().min(1), "Most rows to send; all where it is left out.", 1_000),
});

/** The query of all.csv. */
export const CsvExportParameters = ExportParameters.extend(BOM);

/** The query of GET /media/{asset}/stats. */
export const StatsParameters = RowsParameters.pick({ table: true });

/** The query of GET /media/{asset}/rows/all.parquet. */
export const ParquetParameters = RowsParameters.pick({ table: true });

/** PUT on an address of POST /uploads. */
export const UploadParameters = z.strictObject({
  dialect: optional(
    z.string(),
    "How a table of text is written: a JSON object in the words of Table Dialect, such as delimiter, header, headerRows, encoding and decimalChar, or the word auto for the one plan that is found.",
    '{"delimiter":";","decimalChar":","}',
  ),
});

/** The query of GET /oembed. */
export const OEmbedQuery = z.object({
  url: z.string().meta({
    description: "The address of the page of a work or of a chart.",
    examples: ["https://example.org/@tidewatch/november-surge/charts/1"],
  }),
  format: optional(
    z.enum(EMBED_FORMATS),
    "`json`, which is also sent where it is left out; `xml` is 501.",
    "json",
  ),
  maxwidth: optional(
    z.int().min(1),
    "The most pixels across; anything but a whole number from 1 is ignored.",
    600,
  ),
  maxheight: optional(z.int().min(1), "The most pixels down, likewise.", 400),
});

/** The query of a chart's PNG. */
export const ChartPictureQuery = z.object({
  width: optional(
    z.literal(PREVIEW_WIDTH_PX),
    "The width of previews of links; anything else is ignored.",
    PREVIEW_WIDTH_PX,
  ),
});
