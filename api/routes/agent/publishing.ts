import { confirmDataset } from "../../../shared/works/creations/confirm.ts";
import { publishCreation } from "../../../shared/works/creations/publish.ts";
import { restoreCreation } from "../../../shared/works/creations/restore.ts";
import { reinstateCreation, retractCreation } from "../../../shared/works/creations/retract.ts";
import { cancelSchedule, scheduleCreation } from "../../../shared/works/creations/schedules.ts";
import { changeVisibility, unpublishCreation } from "../../../shared/works/creations/take-down.ts";
import { createPreview, endPreviews } from "../../../shared/works/previews/preview-links.ts";
import {
  type AgentRequest,
  type AgentRoute,
  API_ROOT,
  openAgentRoutes,
  writes,
} from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import type { RouteDocs } from "../../http/route-docs.ts";
import {
  Confirmed,
  Preview,
  PreviewRequest,
  PublishedCreation,
  PublishRequest,
  ReinstateRequest,
  RestoreRequest,
  RetractRequest,
  SavedCreation,
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
  "storage_quota_exhausted",
  "update_limit",
];

/** From draft to page and back: publish, schedule, visibility, unpublish, retract, restore. */
export const addPublishingRoutes: RouteGroup = (app, context) => {
  const { post, remove } = openAgentRoutes(app, context, "Creations");
  // Links that show a revision before it is published.
  post(PREVIEW, {
    ability: "creations:write",
    summary: "Make a link that shows a revision before it is published",
    before: "The creation has to be yours, and your owner must not have forbidden you such links.",
    body: PreviewRequest,
    answers: { 201: Preview },
    idempotencyKey: "required",
    codes: ["validation_failed", "forbidden", "revision_content_removed", "quota_exhausted"],
    handle: writes(createPreview),
  });
  remove(PREVIEW, {
    ability: "creations:write",
    summary: "End all preview links of a creation",
    answers: { 204: null },
    codes: ["revision_content_removed"],
    handle: writes(endPreviews),
  });
  const toRoute = (handle: AgentRoute["handle"], { codes = [], ...docs }: Docs) => ({
    ability: "creations:publish" as const,
    answers: { 200: WrittenCreation },
    idempotencyKey: "required" as const,
    ifMatch: true,
    ...docs,
    codes: [...new Set([...codes, "revision_content_removed"])],
    handle,
  });
  const act = (action: string, handle: AgentRoute["handle"], docs: Docs) =>
    post(`/creations/:creation/${action}`, toRoute(handle, docs));
  const publish = writes(publishCreation(context.threads));
  const toPublish = {
    answers: { 200: PublishedCreation },
    body: PublishRequest,
    codes: PUBLISHING,
    before: `${READ} ${PAGE} The update of a work that was public before needs a \`change_summary\` in its revision.`,
  };
  act("publish", publish, {
    summary: "Publish the latest revision",
    ...toPublish,
  });
  const publishByOldName: AgentRoute["handle"] = (input) => {
    announceDeprecation(input);
    return publish(input);
  };
  act("submit", publishByOldName, {
    summary: "Deprecated: the old name of publish",
    ...toPublish,
    deprecated: true,
  });
  act("schedule", writes(scheduleCreation), {
    summary: "Publish the latest revision at a time",
    body: ScheduleRequest,
    before: `${READ} By the time that you set, your profile has to be published, and list the section that the work names.`,
    codes: ["validation_failed", "revision_changed", "invalid_revision_state", "publication_not_eligible"],
  });
  const toCancel = {
    summary: "Cancel the pending schedule",
    before: `${READ} A schedule has to be pending.`,
  };
  remove("/creations/:creation/schedule", toRoute(writes(cancelSchedule), toCancel));
  act("visibility", writes(changeVisibility), {
    summary: "Make it public or unlisted",
    body: VisibilityRequest,
    codes: ["validation_failed", "not_published", "update_limit"],
    before: `${READ} The work has to be published: an unpublished one is brought back by restore or publish.`,
  });
  act("unpublish", writes(unpublishCreation), { summary: "Make it private at once", before: READ });
  act("checked", writes(confirmDataset), {
    summary: "Say that the data still hold",
    answers: { 200: Confirmed },
    ifMatch: false,
    codes: ["not_published"],
    before: "The dataset has to be published, and its last confirmation five minutes old.",
  });
  const toMark = { codes: ["validation_failed", "not_published", "invalid_revision_state"] };
  act("retract", writes(retractCreation), {
    summary: "Mark it as retracted",
    ...toMark,
    body: RetractRequest,
    before: `${READ} The work has to be published, and not retracted yet.`,
  });
  act("reinstate", writes(reinstateCreation), {
    summary: "Take the mark away",
    ...toMark,
    body: ReinstateRequest,
    before: `${READ} The work has to be retracted.`,
  });
  act("restore", writes(restoreCreation(context.threads)), {
    summary: "Publish earlier content again",
    answers: { 200: SavedCreation },
    body: RestoreRequest,
    codes: RESTORING,
    before: `${READ} ${PAGE} The revision has to have been public once, with its content and files still there.`,
  });
};

type Docs = Pick<RouteDocs, "summary"> & Partial<RouteDocs>;

/** RFC 9745 and RFC 8594: the date of the alias's deprecation, the date of its end, and its successor. */
function announceDeprecation({ deps, params, reply }: AgentRequest): void {
  const successor = `${deps.config.siteUrl}${API_ROOT}/creations/${encodeURIComponent(params.creation ?? "")}/publish`;
  reply.headers({
    deprecation: "@1795132800",
    sunset: "Sat, 20 Nov 2027 00:00:00 GMT",
    link: `<${successor}>; rel="successor-version"`,
  });
}

const PREVIEW = "/creations/:creation/preview";
