import { DEFAULT_PAYLOAD_LIMITS, type PayloadOptions } from "../../../shared/requests/options.ts";
import { type CreateRequest, parseCreateRequest } from "../../../shared/requests/parse-requests.ts";

export const OPTIONS: PayloadOptions = { limits: DEFAULT_PAYLOAD_LIMITS, ownSite: null };
export const ID = "01M7WVM8W0T8NYB19BE1ATAT9N";
export const OTHER_ID = "01M7WW1CSGYD5ACBQTVBER0WFF";

/** The least that each creation type takes. */
export const LEAST = {
  story: { title: "A", body_markdown: "b" },
  dataset: { title: "A", attachments: [{ asset_id: ID, label: "L" }] },
  file: { title: "A", attachments: [{ asset_id: ID, label: "L" }] },
  collection: { title: "A", entries: [ID] },
  external_project: { title: "A", external_url: "https://example.org/" },
  brief: { body_markdown: "b" },
} as const;

/** The problems of a create request; empty when there are none. */
export function errorsOf(body: unknown): Record<string, string[]> {
  const outcome = parseCreateRequest(body, OPTIONS);
  return outcome.ok ? {} : outcome.errors;
}

/** A create request that must hold. */
export function readOne(body: unknown): CreateRequest {
  const outcome = parseCreateRequest(body, OPTIONS);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.errors));
  return outcome.value;
}

/** A story with these members instead of the least ones. */
export function story(members: Record<string, unknown>): unknown {
  return { type: "story", payload: { ...LEAST.story, ...members } };
}
