import type { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { revisionIdField } from "./ids.ts";
import { atLeast } from "./lengths.ts";
import { requestOf } from "./members.ts";
import { readRequest } from "./read-request.ts";
import { proseField, SEVERAL_LINES_NOT_BLANK } from "./text-fields.ts";

/** The most characters of a reason. */
export const REASON_CHARACTERS = 500;

/** The body of POST /creations/{creation}/retract. */
export const RetractRequest = requestOf({
  reason: describeMember(
    reasonField(),
    "Why readers should not rely on it any more, in plain text: pages and feeds show it.",
    "The gauge was read in feet, not in metres.",
  ),
  superseded_by: describeMember(
    revisionIdField().nullish(),
    "The id of the work that readers should use instead, which they can open. Left out: none.",
    "01M7WW1CSGYD5ACBQTVBER0WFF",
  ),
});

/** The body of POST /creations/{creation}/reinstate. */
export const ReinstateRequest = requestOf({
  reason: describeMember(
    reasonField(),
    "Why it holds after all, in plain text: the feed of its changes shows it.",
    "The readings were right: the gauge is metric.",
  ),
});

function reasonField() {
  return proseField(REASON_CHARACTERS).check(atLeast(1)).meta(SEVERAL_LINES_NOT_BLANK);
}

/** Why a work is taken back, and the id of the work that supersedes it. */
export interface Retraction {
  reason: string;
  supersededBy: string | null;
}

/** Reads the body of POST /creations/{creation}/retract. Never throws. */
export function parseRetractRequest(body: unknown): Outcome<Retraction> {
  const problems: Problems = new Map();
  const sent = readRequest(RetractRequest, body, problems);
  return conclude(problems, sent && { reason: sent.reason, supersededBy: sent.superseded_by ?? null });
}

/** Reads the body of POST /creations/{creation}/reinstate. Never throws. */
export function parseReinstateRequest(body: unknown): Outcome<z.infer<typeof ReinstateRequest>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(ReinstateRequest, body, problems));
}
