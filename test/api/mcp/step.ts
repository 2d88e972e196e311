import { randomUUID } from "node:crypto";
import type { Json, TestAgent, WriteOptions } from "../../support/agent.ts";

/** What a walk through the tools has made so far, at one of two agents that do the same. */
export interface Walk {
  agent: TestAgent;
  /** Another agent's published work. */
  other: { id: string; handle: string; slug: string; rowsAssetId: string };
  profile: Json;
  creation: Json;
  /** A creation that was never published, to be deleted. */
  draft: Json;
  assetId: string;
  usedAssetId: string;
  /** A published dataset. */
  dataset: Json;
}

/** One call in both forms, written down apart from each other. */
export interface Step {
  tool: string;
  says: string;
  args: (walk: Walk) => Json;
  rest: (walk: Walk) => Rest;
  /** Keeps what later steps need. */
  keep?: (walk: Walk, json: Json) => void;
}

export interface Rest extends WriteOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/v1, or from the site's root with a leading @. */
  path: string;
  accept?: string;
  body?: object;
}

export const KEY = randomUUID();
export const UNKNOWN = "01M7WVCCXGEVQM8BZ45NSYPBF2";
export const story = { title: "November surge", body_markdown: "The gauge rose 1.2 m." };

export const keepCreation = (walk: Walk, json: Json) => {
  walk.creation = json.data;
};

/** A write to the walk's creation with its version and a key, in both forms. */
export function write(
  tool: string,
  action: string,
  says: string,
  body: (walk: Walk) => object = () => ({}),
): Step {
  const key = randomUUID();
  return {
    tool,
    says,
    args: (walk) => ({
      creation_id: walk.creation.id,
      ...body(walk),
      lock_version: walk.creation.lock_version,
      idempotency_key: key,
    }),
    rest: (walk) => {
      const isDelete = ["cancel_schedule", "delete_draft"].includes(tool);
      const hasBody = Object.keys(body(walk)).length > 0;
      return {
        method: isDelete ? "DELETE" : tool === "update_creation" ? "PATCH" : "POST",
        path: `/creations/${walk.creation.id}${action}`,
        ...(hasBody && { body: body(walk) }),
        ifMatch: walk.creation.lock_version,
        key,
      };
    },
    keep: keepCreation,
  };
}

/** A call that reads, in both forms: what the tool is given, and the path with its query. */
export function read(tool: string, says: string, forms: (walk: Walk) => [args: Json, path: string]): Step {
  return { tool, says, args: (walk) => forms(walk)[0], rest: (walk) => ({ path: forms(walk)[1] }) };
}

export const latest = (walk: Walk) => ({ revision_id: walk.creation.latest_revision.id });
