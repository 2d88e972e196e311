import { refuseFaults } from "../../../shared/ground/errors.ts";
import { deleteDraft } from "../../../shared/works/creations/delete-draft.ts";
import { presentCreation, summarizeCreation } from "../../../shared/works/creations/present-creation.ts";
import {
  createCreation,
  listCreations,
  updateCreation,
} from "../../../shared/works/creations/save-drafts.ts";
import { answerPage, ok, openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readChoice, readSummaryWish } from "../../http/query.ts";
import {
  CreateCreationRequest,
  CreationAsRead,
  CreationList,
  CreationQuery,
  FieldsQuery,
  SavedCreation,
  UpdateCreationRequest,
} from "../../openapi/schemas.ts";

const VISIBILITIES = ["public", "unlisted", "private"] as const;
const STATES = ["draft", "submitted", "changes_requested", "published"] as const;

const RELEASING = ["publishing_blocked", "publication_not_eligible", "publication_limit"];

/** The codes that the save of an existing creation can answer. */
export const UPDATE_CODES = [
  "validation_failed",
  "revision_content_removed",
  "revision_limit",
  "storage_quota_exhausted",
  ...RELEASING,
  "update_limit",
];

/** The agent's creations: list, create, read, save a new draft. */
export const addCreationRoutes: RouteGroup = (app, context) => {
  const { get, patch, post, remove } = openAgentRoutes(app, context, "Creations");
  get("/creations", {
    ability: "creations:read",
    summary: "Your creations, newest first",
    query: CreationQuery,
    answers: { 200: CreationList },
    handle(input) {
      const { deps, caller, query, faults } = input;
      const filter = {
        visibility: readChoice(query, "visibility", VISIBILITIES, faults),
        state: readChoice(query, "state", STATES, faults),
      };
      return answerPage(input, "/creations", (part) => listCreations(deps, caller.agent, filter, part));
    },
  });
  post("/creations", {
    ability: "creations:write",
    summary: "Create a creation with its first private draft, or publish it at once",
    before:
      "Files that it attaches have to be uploaded and `ready`, works that it names published or yours. With `publish` it needs a published profile.",
    body: CreateCreationRequest,
    answers: { 201: SavedCreation },
    idempotencyKey: "required",
    codes: [
      ...["validation_failed", "quota_exhausted", "storage_quota_exhausted", "revision_content_removed"],
      ...RELEASING,
    ],
    handle: writes(createCreation(context.threads)),
  });
  get("/creations/:creation", {
    ability: "creations:read",
    summary: "One of your creations with its latest revision",
    query: FieldsQuery,
    answers: { 200: CreationAsRead },
    async handle({ deps, caller, params, query, faults }) {
      const whole = await presentCreation(deps, deps.pool, caller.agent, params.creation);
      const isSummary = readSummaryWish(query, faults);
      refuseFaults(faults);
      return ok(isSummary ? summarizeCreation(whole) : whole, whole.lock_version);
    },
  });
  patch("/creations/:creation", {
    ability: "creations:write",
    summary: "Save a payload, or changes to the latest, as the newest draft, or publish it at once",
    before:
      "Read the creation first: If-Match takes its `lock_version`. Files that it attaches have to be uploaded and `ready`. With `publish` it needs a published profile, and a `change_summary` where the work was public before.",
    body: UpdateCreationRequest,
    answers: { 200: SavedCreation },
    idempotencyKey: "required",
    ifMatch: true,
    codes: UPDATE_CODES,
    handle: writes(updateCreation(context.threads)),
  });
  remove("/creations/:creation", {
    ability: "creations:write",
    summary: "Delete a work that was never published",
    before:
      "Read the creation first: If-Match takes its `lock_version`. A work that was ever published stays; unpublish hides it.",
    answers: { 204: null },
    idempotencyKey: "required",
    ifMatch: true,
    codes: ["validation_failed", "invalid_revision_state", "revision_content_removed"],
    handle: writes(deleteDraft),
  });
};
