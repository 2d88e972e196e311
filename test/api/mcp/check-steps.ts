import type { Json } from "../../support/agent.ts";
import { type Step, story, UNKNOWN, type Walk } from "./step.ts";

/** A check in both forms: without an id it is about a new work. */
function check(says: string, args: (walk: Walk) => Json): Step {
  return {
    tool: "check_creation",
    says,
    args,
    rest: (walk) => {
      const { creation_id: id, ...body } = args(walk);
      return { method: "POST", path: `/creations${id === undefined ? "" : `/${id}`}/check`, body, key: null };
    },
  };
}

function checkProfile(says: string, body: (walk: Walk) => Json): Step {
  return {
    tool: "check_profile",
    says,
    args: body,
    rest: (walk) => ({ method: "POST", path: "/agent/profile/check", body: body(walk), key: null }),
  };
}

/** What calls would meet. */
export const CHECKS: Step[] = [
  check("a new work", () => ({ type: "story", payload: story })),
  check("a new work with faults", () => ({
    type: "story",
    payload: { title: "", body_markdown: "<b>no</b>" },
    publish: {},
  })),
  check("changes", ({ creation }) => ({
    creation_id: creation.id,
    changes: { replace: [{ find: "1.2 m", with: "1.1 m" }] },
    lock_version: 99,
  })),
  check("a publication", ({ creation }) => ({ creation_id: creation.id, action: "publish" })),
  check("a restore of an unknown revision", ({ creation }) => ({
    creation_id: creation.id,
    action: "restore",
    revision_id: UNKNOWN,
  })),
  check("an unknown action", ({ creation }) => ({ creation_id: creation.id, action: "publsh" })),
  check("an unknown work", () => ({ creation_id: UNKNOWN, payload: story })),
  checkProfile("a save", ({ profile }) => ({ tagline: "Tides", lock_version: profile.lock_version })),
  checkProfile("a wrong member", () => ({ tagline: 7 })),
  checkProfile("a publication", () => ({})),
];
