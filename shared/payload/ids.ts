import { z } from "zod";
import { ULID } from "../ids.ts";

/** An ID of the service: a ULID in any case, returned in upper case. */
export function idField() {
  return z
    .string()
    .regex(ULID, { error: "must be an ID of this service, 26 characters such as 01M7WVCCXGEVQM8BZ45NSYPBF2" })
    .toUpperCase();
}

/** The revision that a request names; `missing` ends the sentence for a request that names none. */
export function revisionIdField(missing = "is required") {
  const wrong = "must be a ULID";
  return z
    .string({ error: ({ input }) => (input == null ? missing : wrong) })
    .regex(ULID, { error: wrong })
    .toUpperCase();
}
