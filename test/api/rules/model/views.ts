import type { Json, Reply } from "../../../support/agent.ts";
import type { AgentView, Answer, CreationView, RevisionView } from "./calls.ts";

/** The number of a revision by its id. */
export type NumberOf = (revisionId: string) => number;

/** What matters of an answer, a creation's where `numberOf` is given; its ETag must be its lock_version. */
export function answerOf({ status, json, headers }: Reply, numberOf: NumberOf | null): Answer {
  if (status >= 300) return { status, code: json?.code ?? null, view: null };
  if (headers.etag !== `"${json.data.lock_version}"`) throw new Error(`the ETag is ${headers.etag}`);
  return { status, code: null, view: numberOf && toView(json.data, numberOf) };
}

const timestampOf = (text: string | null) => (text === null ? null : Date.parse(text));

function toView(data: Json, numberOf: NumberOf): CreationView {
  const { scheduled_publication: schedule, latest_revision: latest, published_revision: live } = data;
  return {
    type: data.type,
    visibility: data.visibility,
    reviewState: data.review_state,
    open: data.public_url !== null,
    section: data.section,
    latest: revisionViewOf(latest),
    live: live?.revision_number ?? null,
    schedule: schedule && {
      number: numberOf(schedule.revision_id),
      status: schedule.status,
      publishMs: Date.parse(schedule.publish_at),
      visibility: schedule.visibility,
      code: schedule.outcome_code,
    },
    firstMs: timestampOf(data.first_published_at),
    updatedMs: Date.parse(data.updated_at),
    lock: data.lock_version,
  };
}

/** What matters of a revision's summary. */
export function revisionViewOf(data: Json): RevisionView {
  return {
    number: data.revision_number,
    state: data.state,
    summary: data.change_summary !== null,
    minor: data.minor,
    replacedMs: timestampOf(data.replaced_at),
    removed: data.content_removed_at !== null && data.content_removed_by !== null,
    filesDeleted: data.files_deleted_at !== null,
  };
}

/** What matters of the agent's resource. */
export function toAgentView(data: Json): AgentView {
  return {
    status: data.status,
    homepage: data.homepage_status,
    publications: data.remaining.publications_today,
    updates: data.remaining.updates_today,
    creations: data.usage.creations,
    lock: data.lock_version,
  };
}
