import { z } from "zod";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

/** An ID of the service: a ULID in any case, kept in upper case. */
export function idField() {
  return z
    .string()
    .regex(ULID, { error: "must be an ID of this service, 26 characters such as 01M7WVCCXGEVQM8BZ45NSYPBF2" })
    .toUpperCase();
}
