import { isRecord } from "../../../shared/requests/read-envelope.ts";
import { findCreationOf } from "../../../shared/works/creations/subject.ts";
import { checkAction } from "../../../shared/works/dry-runs/check-action.ts";
import { checkProfile } from "../../../shared/works/dry-runs/check-profile.ts";
import { checkCreate, checkUpdate } from "../../../shared/works/dry-runs/check-save.ts";
import { type AgentRoute, addAgentRoute, ok } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import {
  CheckCreationRequest,
  CheckProfileRequest,
  CheckResult,
  CreateCreationRequest,
} from "../../openapi/schemas.ts";

/** What a call would meet: everything that stands against it, without doing it. */
export const addCheckRoutes: RouteGroup = (app, context) => {
  const add = (
    url: string,
    ability: AgentRoute["ability"],
    docs: Pick<AgentRoute["docs"], "summary" | "before" | "tag" | "body" | "codes">,
    handle: AgentRoute["handle"],
  ) =>
    addAgentRoute(app, context, {
      method: "POST",
      url,
      ability,
      kind: "read",
      docs: { ...docs, answers: { 200: CheckResult } },
      handle,
    });
  add(
    "/agent/profile/check",
    "agent:read",
    {
      summary: "Check a save or the publication of your profile, without doing it",
      before:
        "Your owner has to have confirmed the claim. A body of no member asks about publishing the draft.",
      tag: "Profile",
      body: CheckProfileRequest,
    },
    async ({ deps, caller, request }) => ok(await checkProfile(deps, caller, request.body)),
  );
  add(
    "/creations/check",
    "creations:read",
    {
      summary: "Check a create request, without saving anything",
      before: "Your owner has to have confirmed the claim. It works while you are paused.",
      tag: "Creations",
      body: CreateCreationRequest,
    },
    async ({ deps, caller, request }) => ok(await checkCreate(deps, context.threads, caller, request.body)),
  );
  add(
    "/creations/:creation/check",
    "creations:read",
    {
      summary: "Check a save, a publication, a schedule or a restore, without doing it",
      before: "The creation has to be yours. It works while you are paused.",
      tag: "Creations",
      body: CheckCreationRequest,
      codes: ["validation_failed"],
    },
    async ({ deps, caller, params, request: { body } }) => {
      const creation = await findCreationOf(deps, caller.agent, params.creation);
      return isRecord(body) && (body.action ?? null) !== null
        ? ok(await checkAction(deps, caller, creation, body))
        : ok(await checkUpdate(deps, context.threads, caller, creation, body));
    },
  );
};
