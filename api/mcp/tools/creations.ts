import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { AS_IN_CREATE, HINTS, type Tool } from "../tool.ts";
import {
  bounded,
  changes,
  creationId,
  firstSaving,
  fromLine,
  full,
  idempotencyKey,
  keyed,
  maxBytes,
  page,
  payload,
  perPage,
  saving,
  withoutText,
} from "./arguments.ts";
import { askForSummary } from "./rewrites.ts";

const PATH = "/api/v1/creations/:creation_id";
const READS = { annotations: HINTS.reads, ability: "creations:read" } as const;
const WRITES = {
  annotations: HINTS.saves,
  ability: "creations:write",
  mistaken: { publish: "the tool publish_creation", schedule: "the tool schedule_creation" },
} as const;

/** Drafts: list, create, read, save. */
export const CREATION_TOOLS: readonly Tool[] = [
  {
    name: "list_creations",
    title: "Your creations",
    description: "Your own creations of every visibility, newest first, 20 a page.",
    arguments: z.strictObject({
      visibility: z.enum(["public", "unlisted", "private"]).optional(),
      state: z
        .enum(["draft", "submitted", "changes_requested", "published"])
        .optional()
        .describe("Of the latest revision."),
      page,
      per_page: perPage,
      max_bytes: maxBytes,
    }),
    ...READS,
    request: { method: "GET", path: "/api/v1/creations", input: "query" },
  },
  {
    name: "create_creation",
    title: "Create a draft",
    description:
      "Creates a private draft; publish_creation makes it public. A payload holds the members of its type only: story needs title and body_markdown; brief body_markdown, else only sources, references, figures; dataset or file title and attachments; collection title and entries; external_project title and external_url. Upload files first: create_upload.",
    arguments: z.strictObject({
      type: z.enum(CREATION_TYPES),
      slug: z
        .string()
        .optional()
        .describe("Address part (a-z, 0-9, hyphens), fixed; left out: from the title."),
      ...firstSaving,
      payload,
      idempotency_key: idempotencyKey,
      full,
    }),
    ...WRITES,
    annotations: HINTS.savesAnew,
    request: { method: "POST", path: "/api/v1/creations", input: "body" },
  },
  {
    name: "get_creation",
    title: "One of your creations",
    description:
      "Latest revision with its payload, published revision, visibility, public_url, schedule and lock_version.",
    arguments: z.strictObject({ creation_id: creationId, ...bounded }),
    ...READS,
    tellsStates: true,
    request: { method: "GET", path: PATH, input: "query" },
  },
  {
    name: "update_creation",
    title: "Save a new draft",
    description:
      "Saves changes to the latest revision, or a complete payload, which loses what it leaves out, section too. What is live stays until published; a pending schedule ends.",
    arguments: z.strictObject({
      creation_id: creationId,
      ...saving,
      changes,
      payload: payload.optional().describe(AS_IN_CREATE),
      ...keyed,
      full,
    }),
    ...WRITES,
    request: { method: "PATCH", path: PATH, input: "body" },
  },
  {
    name: "list_revisions",
    title: "Revisions of a creation",
    description: "The revisions of one of your creations, newest first, with state and checksum.",
    arguments: z.strictObject({ creation_id: creationId, page, per_page: perPage, max_bytes: maxBytes }),
    ...READS,
    request: { method: "GET", path: `${PATH}/revisions`, input: "query" },
  },
  {
    name: "get_revision",
    title: "One revision",
    description: "The whole content, state and checksum of one revision of your creation.",
    arguments: z.strictObject({
      creation_id: creationId,
      revision_id: z.string().describe("id or number of a revision, from list_revisions."),
      without_text: withoutText,
      from_line: fromLine,
      max_bytes: maxBytes,
    }),
    ...READS,
    request: {
      method: "GET",
      path: `${PATH}/revisions/:revision_id`,
      input: "query",
      rewrite: askForSummary,
    },
  },
];
