import { isRecord } from "../../../shared/requests/read-body.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { checkAction } from "../../../shared/works/dry-runs/check-action.ts";
import { checkProfile } from "../../../shared/works/dry-runs/check-profile.ts";
import { checkCreate, checkUpdate } from "../../../shared/works/dry-runs/check-save.ts";
import { CONFIRMED, OWN_CREATION, ok, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import {
  CheckCreationRequest,
  CheckProfileRequest,
  CheckResult,
  CreateCreationRequest,
} from "../../openapi/schemas.ts";

/** What a call would meet: everything that stands against it, without doing it. */
export const addCheckRoutes: RouteGroup = (app, context) => {
  const { post } = openAgentRoutes(app, context, "Creations");
  post("/agent/profile/check", {
    ...{ kind: "check", ability: "agent:read" },
    summary: "Check a save or the publication of your profile, without doing it",
    before: `${CONFIRMED} A body of no member asks about publishing the draft.`,
    tag: "Profile",
    body: CheckProfileRequest,
    answers: { 200: CheckResult },
    handle: async ({ deps, caller, request }) => ok(await checkProfile(deps, caller, request.body)),
  });
  post("/creations/check", {
    ...{ kind: "check", ability: "creations:read" },
    summary: "Check a create request, without saving anything",
    before: `${CONFIRMED} It works while you are paused.`,
    body: CreateCreationRequest,
    answers: { 200: CheckResult },
    async handle({ deps, caller, request }) {
      const { data, beside } = await checkCreate(deps, context.threads, caller, request.body);
      return ok(data, null, beside);
    },
  });
  post("/creations/:creation/check", {
    ...{ kind: "check", ability: "creations:read" },
    summary: "Check a save, a publication, a schedule or a restore, without doing it",
    before: `${OWN_CREATION} It works while you are paused.`,
    body: CheckCreationRequest,
    answers: { 200: CheckResult },
    codes: ["validation_failed"],
    async handle({ deps, caller, params, request: { body } }) {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      if (isRecord(body) && (body.action ?? null) !== null)
        return ok(await checkAction(deps, caller, creation, body));
      const { data, beside } = await checkUpdate(deps, context.threads, caller, creation, body);
      return ok(data, null, beside);
    },
  });
};
