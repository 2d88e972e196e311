import { confirmDataset } from "../../../shared/works/creations/confirm-data.ts";
import { publishCreation } from "../../../shared/works/creations/publish.ts";
import { restoreCreation } from "../../../shared/works/creations/restore.ts";
import { reinstateCreation, retractCreation } from "../../../shared/works/creations/retract.ts";
import { cancelSchedule, scheduleCreation } from "../../../shared/works/creations/schedules.ts";
import { changeVisibility, unpublishCreation } from "../../../shared/works/creations/visibility.ts";
import {
  type AgentRequest,
  type AgentRoute,
  API_ROOT,
  addAgentRoute,
  writes,
} from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import {
  Confirmed,
  PublishRequest,
  ReinstateRequest,
  RestoreRequest,
  RetractRequest,
  ScheduleRequest,
  VisibilityRequest,
  WrittenCreation,
} from "../../openapi/schemas.ts";

const PUBLICATION_CHECKS = [
  "validation_failed",
  "publishing_blocked",
  "revision_changed",
  "invalid_revision_state",
  "publication_not_eligible",
];
const READ = "Read the creation first: If-Match takes its `lock_version`.";
const PAGE = "Your profile has to be published, and list the section that the work names.";
const PUBLISHING = [...PUBLICATION_CHECKS, "publication_limit", "update_limit"];
const RESTORING = [
  "validation_failed",
  "publishing_blocked",
  "not_published",
  "revision_content_removed",
  "revision_files_deleted",
  "publication_not_eligible",
  "revision_limit",
  "update_limit",
];

/** From draft to page and back: publish, schedule, visibility, unpublish, retract, restore. */
export const addPublishingRoutes: RouteGroup = (app, context) => {
  const add = (method: "POST" | "DELETE", action: string, docs: Docs, handle: AgentRoute["handle"]) =>
    addAgentRoute(app, context, {
      method,
      url: `/creations/:creation/${action}`,
      ability: "creations:publish",
      kind: "write",
      docs: {
        tag: "Creations",
        answers: { 200: WrittenCreation },
        idempotencyKey: "required",
        ifMatch: true,
        ...docs,
        codes: [...new Set([...(docs.codes ?? []), "revision_content_removed"])],
      },
      handle,
    });
  const publish = writes(publishCreation);
  const toPublish = {
    body: PublishRequest,
    codes: PUBLISHING,
    before: `${READ} ${PAGE} The update of a work that was public before needs a \`change_summary\` in its revision.`,
  };
  add("POST", "publish", { summary: "Publish the latest revision", ...toPublish }, publish);
  add(
    "POST",
    "submit",
    { summary: "Deprecated: the old name of publish", ...toPublish, deprecated: true },
    (input) => {
      announceDeprecation(input);
      return publish(input);
    },
  );
  const toSchedule = {
    body: ScheduleRequest,
    before: `${READ} By the time that you set, your profile has to be published, and list the section that the work names.`,
    codes: ["validation_failed", "revision_changed", "invalid_revision_state", "publication_not_eligible"],
  };
  add(
    "POST",
    "schedule",
    { summary: "Publish the latest revision at a time", ...toSchedule },
    writes(scheduleCreation),
  );
  add(
    "DELETE",
    "schedule",
    { summary: "Cancel the pending schedule", before: `${READ} A schedule has to be pending.` },
    writes(cancelSchedule),
  );
  const toShow = {
    body: VisibilityRequest,
    codes: ["validation_failed", "not_published"],
    before: `${READ} The work has to be published: an unpublished one is brought back by restore or publish.`,
  };
  add("POST", "visibility", { summary: "Make it public or unlisted", ...toShow }, writes(changeVisibility));
  add("POST", "unpublish", { summary: "Make it private at once", before: READ }, writes(unpublishCreation));
  const toConfirm = {
    answers: { 200: Confirmed },
    ifMatch: false,
    codes: ["not_published"],
    before: "The dataset has to be published, and its last confirmation five minutes old.",
  };
  add("POST", "checked", { summary: "Say that the data still hold", ...toConfirm }, writes(confirmDataset));
  const toRestore = {
    body: RestoreRequest,
    codes: RESTORING,
    before: `${READ} ${PAGE} The revision has to have been public once, with its content and files still there.`,
  };
  const toRetract = {
    body: RetractRequest,
    codes: ["validation_failed", "not_published", "invalid_revision_state"],
    before: `${READ} The work has to be published, and not retracted yet.`,
  };
  add("POST", "retract", { summary: "Mark it as retracted", ...toRetract }, writes(retractCreation));
  const toReinstate = {
    ...toRetract,
    body: ReinstateRequest,
    before: `${READ} The work has to be retracted.`,
  };
  add("POST", "reinstate", { summary: "Take the mark away", ...toReinstate }, writes(reinstateCreation));
  add("POST", "restore", { summary: "Publish earlier content again", ...toRestore }, writes(restoreCreation));
};

type Docs = Pick<AgentRoute["docs"], "summary"> & Partial<AgentRoute["docs"]>;

/** RFC 9745 and RFC 8594: the date of the alias's deprecation, the date of its end, and its successor. */
function announceDeprecation({ deps, params, reply }: AgentRequest): void {
  const successor = `${deps.config.siteUrl}${API_ROOT}/creations/${encodeURIComponent(params.creation ?? "")}/publish`;
  reply.headers({
    deprecation: "@1795132800",
    sunset: "Sat, 20 Nov 2027 00:00:00 GMT",
    link: `<${successor}>; rel="successor-version"`,
  });
}
