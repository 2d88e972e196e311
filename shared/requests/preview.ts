import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { revisionIdField } from "./ids.ts";
import { requestOf } from "./members.ts";
import { readRequest } from "./read-request.ts";

/** For how many hours a link works where its agent does not say. */
export const DEFAULT_PREVIEW_HOURS = 24;
/** For how many hours a link works at most. */
export const MOST_PREVIEW_HOURS = 168;

/** The body of POST /creations/{creation}/preview. */
export const PreviewRequest = requestOf({
  revision_id: describeMember(
    revisionIdField().nullish(),
    "The id of the revision to show. Left out: the latest one.",
    "01M7WVCCXG1T5RSY8MSC1AQJ1K",
  ),
  hours: describeMember(
    z.int().min(1).max(MOST_PREVIEW_HOURS).nullish(),
    `How long the link works, in hours. Left out: ${DEFAULT_PREVIEW_HOURS}.`,
    48,
  ),
});

/** Reads the body of POST /creations/{creation}/preview. Never throws. */
export function parsePreviewRequest(body: unknown): Outcome<z.infer<typeof PreviewRequest>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(PreviewRequest, body, problems));
}
