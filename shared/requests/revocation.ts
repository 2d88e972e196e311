import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { requestOf } from "./members.ts";
import { readRequest } from "./read-request.ts";

const MOST_CREDENTIALS = 1_000;

/** The body of POST /tokens/revoke. */
export const RevokeCredentialsRequest = requestOf({
  credentials: describeMember(
    z.array(z.string()).min(1).max(MOST_CREDENTIALS),
    "Access tokens and enrolment codes, each alone or with the text around it.",
    ["bst_3YqG1h5kLw0Zc8vTn2RxJ7uPsD4mEaBf6oHi9N1aa000"],
  ),
});

/** Reads the body of POST /tokens/revoke. Never throws. */
export function parseRevokeCredentials(body: unknown): Outcome<z.infer<typeof RevokeCredentialsRequest>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(RevokeCredentialsRequest, body, problems));
}
