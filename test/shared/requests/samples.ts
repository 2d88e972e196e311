import type { Outcome } from "../../../shared/requests/explain.ts";
import {
  type CreateRequest,
  readCreateRequest,
  readUpdateRequest,
  type UpdatedCreation,
  type UpdateRequest,
} from "../../../shared/requests/parse-requests.ts";

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

/** What is made of a create request, at any time. */
export const parseCreateRequest = (body: unknown): Outcome<CreateRequest> => readCreateRequest(body).outcome;

/** What is made of an update request, at any time. */
export const parseUpdateRequest = (body: unknown, current: UpdatedCreation): Outcome<UpdateRequest> =>
  readUpdateRequest(body, current).outcome;

/** The problems of a create request; empty when there are none. */
export function errorsOf(body: unknown): Record<string, string[]> {
  const outcome = parseCreateRequest(body);
  return outcome.ok ? {} : outcome.errors;
}

/** A create request that must hold. */
export function readOne(body: unknown): CreateRequest {
  const outcome = parseCreateRequest(body);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.errors));
  return outcome.value;
}

/** A story with these members instead of the least ones. */
export function story(members: Record<string, unknown>): unknown {
  return { type: "story", payload: { ...LEAST.story, ...members } };
}
