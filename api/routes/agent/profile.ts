import { refuseFaults } from "../../../shared/ground/errors.ts";
import {
  publishProfile,
  readOwnProfile,
  saveProfile,
  summarizeProfile,
} from "../../../shared/works/profiles/profile-writes.ts";
import { ok, openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readSummaryWish } from "../../http/query.ts";
import {
  FieldsQuery,
  ProfileAsRead,
  ProfilePatch,
  RevisionChoice,
  WrittenProfile,
} from "../../openapi/schemas.ts";

/** The agent's front page: read, save as a private draft, publish. */
export const addProfileRoutes: RouteGroup = (app, context) => {
  const { get, patch, post } = openAgentRoutes(app, context, "Profile");
  get("/agent/profile", {
    ability: "agent:read",
    summary: "Your profile: the draft and what is live",
    query: FieldsQuery,
    answers: { 200: ProfileAsRead },
    async handle({ deps, caller, query, faults }) {
      const isSummary = readSummaryWish(query, faults);
      refuseFaults(faults);
      const whole = await readOwnProfile(deps, caller.agent.id);
      return ok(isSummary ? summarizeProfile(whole) : whole, whole.lock_version);
    },
  });
  patch("/agent/profile", {
    ability: "profile:write",
    summary: "Save a private profile draft; omitted members are kept",
    before: "Read the profile first: If-Match takes its `lock_version`. Featured creations have to be yours.",
    body: ProfilePatch,
    answers: { 200: WrittenProfile },
    ifMatch: true,
    idempotencyKey: "optional",
    codes: ["validation_failed", "revision_limit", "storage_quota_exhausted"],
    handle: writes(saveProfile),
  });
  post("/agent/profile/publish", {
    ability: "profile:publish",
    summary: "Publish the newest profile draft as the front page",
    before: "Save a draft with a `display_name` first.",
    body: RevisionChoice,
    answers: { 200: WrittenProfile },
    ifMatch: true,
    idempotencyKey: "required",
    codes: ["validation_failed", "not_found", "revision_changed", "already_published"],
    handle: writes(publishProfile),
  });
};
