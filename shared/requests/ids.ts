import { z } from "zod";
import { ULID } from "../ground/ids.ts";

/** An ID of the service: a ULID in any case, returned in upper case. */
export function idField() {
  return z
    .string()
    .regex(ULID, { error: "must be an ID of this service, 26 characters such as 01M7WVCCXGEVQM8BZ45NSYPBF2" })
    .toUpperCase();
}

const REVISION_KEY = /^(?:[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}|[1-9]\d{0,5})$/;

/** An earlier revision by its id or by its number, as addresses name it. */
export function revisionKeyField() {
  const wrong = "must be the id or the number of a revision";
  const error = ({ input }: { input?: unknown }) => (input == null ? "is required" : wrong);
  return z.union([z.int().min(1).max(999_999), z.string().regex(REVISION_KEY, { error: wrong })], { error });
}

/** The revision that a request names; `missing` ends the sentence for a request that names none. */
export function revisionIdField(missing = "is required") {
  const wrong = "must be a ULID";
  return z
    .string({ error: ({ input }) => (input == null ? missing : wrong) })
    .regex(ULID, { error: wrong })
    .toUpperCase();
}
