import { randomUUID } from "node:crypto";
import { CHECKS } from "./check-steps.ts";
import { keepCreation, latest, read, type Step, story, UNKNOWN, write } from "./step.ts";

const CREATE_KEY = randomUUID();

const DELETE_KEY = randomUUID();
const deleteDraft = (says: string, key: string, version: number): Step => ({
  tool: "delete_draft",
  says,
  args: ({ draft }) => ({ creation_id: draft.id, lock_version: version, idempotency_key: key }),
  rest: ({ draft }) => ({ method: "DELETE", path: `/creations/${draft.id}`, ifMatch: version, key }),
});

const create = (says: string, body: object, key: string = randomUUID()): Step => ({
  tool: "create_creation",
  says,
  args: () => ({ ...body, idempotency_key: key }),
  rest: () => ({ method: "POST", path: "/creations", body, key }),
  keep: keepCreation,
});

/** Drafts. */
export const CREATIONS: Step[] = [
  deleteDraft("an old version", randomUUID(), 9),
  deleteDraft("good", DELETE_KEY, 1),
  deleteDraft("the same key", DELETE_KEY, 1),
  create("wrong fields", {
    type: "story",
    payload: { title: "", body_markdown: "<b>no</b>", pages: 1 },
  }),
  create("good", { type: "story", payload: story }, CREATE_KEY),
  create("another request with the same key", { type: "brief", payload: story }, CREATE_KEY),
  read("list_creations", "good", () => [
    { visibility: "private", per_page: 5 },
    "/creations?visibility=private&per_page=5",
  ]),
  read("list_creations", "wrong words", () => [{ state: "done", page: 0 }, "/creations?state=done&page=0"]),
  read("get_creation", "good", ({ creation }) => [{ creation_id: creation.id }, `/creations/${creation.id}`]),
  read("get_creation", "an unknown id", () => [{ creation_id: UNKNOWN }, `/creations/${UNKNOWN}`]),
  read("get_creation", "a path as id", () => [{ creation_id: "../agent" }, "/creations/..%2Fagent"]),
  write("update_creation", "", "wrong fields", () => ({
    payload: { title: "x" },
    minor: "yes",
    disclosure: { why: 1 },
  })),
  write("update_creation", "", "changes", () => ({
    changes: { set: { summary: "Long." }, replace: [{ find: "1.2 m", with: "1.1 m" }] },
  })),
  write("update_creation", "", "good", () => ({
    payload: { ...story, summary: "Short." },
    change_summary: "Shorter.",
    disclosure: { origin: "assisted", tools: [{ name: "gauge-reader" }] },
  })),
  read("list_revisions", "good", ({ creation }) => [
    { creation_id: creation.id, page: 1 },
    `/creations/${creation.id}/revisions?page=1`,
  ]),
  read("list_revisions", "a wrong page", ({ creation }) => [
    { creation_id: creation.id, page: "x" },
    `/creations/${creation.id}/revisions?page=x`,
  ]),
  read("get_revision", "good", ({ creation }) => [
    { creation_id: creation.id, revision_id: 1 },
    `/creations/${creation.id}/revisions/1`,
  ]),
  read("get_revision", "an unknown one", ({ creation }) => [
    { creation_id: creation.id, revision_id: 9 },
    `/creations/${creation.id}/revisions/9`,
  ]),
];

const preview = (says: string, body: { revision_id?: string; hours?: number }): Step => {
  const key = randomUUID();
  return {
    tool: "preview_creation",
    says,
    args: ({ creation }) => ({ creation_id: creation.id, ...body, idempotency_key: key }),
    rest: ({ creation }) => ({
      method: body.hours === 0 ? "DELETE" : "POST",
      path: `/creations/${creation.id}/preview`,
      ...(body.hours !== 0 && { body }),
      key,
    }),
  };
};

/** What an agent compares, previews and counts. */
const LOOKING: Step[] = [
  read("diff_revisions", "good", ({ creation: { id } }) => [
    { creation_id: id, from: 1, to: 2 },
    `/creations/${id}/revisions/1/diff/2`,
  ]),
  read("diff_revisions", "an unknown one", ({ creation: { id } }) => [
    { creation_id: id, from: "1", to: "99" },
    `/creations/${id}/revisions/1/diff/99`,
  ]),
  read("get_reads", "of all works", () => [{}, "/agent/reads"]),
  read("get_reads", "a wrong day", ({ creation: { id } }) => [
    { creation_id: id, from: "yesterday" },
    `/creations/${id}/reads?from=yesterday`,
  ]),
  preview("good", { hours: 1 }),
  preview("too long", { hours: 1_000_000 }),
  preview("the end of all", { hours: 0 }),
];

const PUBLISH_KEY = randomUUID();
const CONFIRM_KEY = randomUUID();
const confirmDataset = (says: string, key: string, of: "creation" | "dataset" = "dataset"): Step => ({
  tool: "confirm_dataset",
  says,
  args: (walk) => ({ creation_id: walk[of].id, idempotency_key: key }),
  rest: (walk) => ({ method: "POST", path: `/creations/${walk[of].id}/checked`, key }),
});

/** Datasets that still hold. */
const CONFIRMING: Step[] = [
  {
    tool: "publish_creation",
    says: "a dataset",
    args: ({ dataset }) => ({ creation_id: dataset.id, lock_version: 1, idempotency_key: PUBLISH_KEY }),
    rest: ({ dataset }) => ({
      method: "POST",
      path: `/creations/${dataset.id}/publish`,
      ifMatch: 1,
      key: PUBLISH_KEY,
    }),
  },
  confirmDataset("good", CONFIRM_KEY),
  confirmDataset("the same key", CONFIRM_KEY),
  confirmDataset("a story", randomUUID(), "creation"),
];

/** From draft to page and back. */
export const PUBLISHING: Step[] = [
  ...CHECKS,
  ...LOOKING,
  write("set_visibility", "/visibility", "before publication", () => ({ visibility: "unlisted" })),
  write("schedule_creation", "/schedule", "in the past", (walk) => ({
    ...latest(walk),
    publish_at: "2020-01-01T00:00:00Z",
  })),
  write("schedule_creation", "/schedule", "good", (walk) => ({
    ...latest(walk),
    publish_at: "2026-12-01T00:00:00Z",
  })),
  write("cancel_schedule", "/schedule", "good"),
  write("cancel_schedule", "/schedule", "with none pending"),
  write("publish_creation", "/publish", "an unknown revision", () => ({ revision_id: UNKNOWN })),
  write("publish_creation", "/publish", "good"),
  write("set_visibility", "/visibility", "good", () => ({ visibility: "unlisted" })),
  write("restore_creation", "/restore", "one that was never public", () => ({ revision_id: UNKNOWN })),
  write("restore_creation", "/restore", "good", latest),
  write("restore_creation", "/restore", "by its number", () => ({ revision_id: "1" })),
  write("restore_creation", "/restore", "as a correction", () => ({
    ...{ revision_id: 1, correction: true, change_summary: "It was right." },
  })),
  write("retract_creation", "/retract", "without a reason"),
  write("retract_creation", "/retract", "good", () => ({ reason: "The gauge was read in feet." })),
  write("reinstate_creation", "/reinstate", "good", () => ({ reason: "It was metric." })),
  write("unpublish_creation", "/unpublish", "good"),
  write("delete_draft", "", "what was published"),
  ...CONFIRMING,
];
