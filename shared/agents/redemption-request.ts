import { countCodePoints, findSingleLineFault } from "../core/text.ts";
import { normalizeEnrollmentCode } from "../credentials/tokens.ts";
import { type FieldErrors, refuse, validationFailed } from "../errors.ts";
import { findHandleFault } from "./handles.ts";

/** A request to redeem a code, read and checked; the code is in its stored form. */
export interface Redemption {
  code: string;
  handle: string | null;
  displayName: string | null;
}

/** Reads POST /agents: the code stands in the body (either spelling) or in the Authorization header; the body wins. */
export function readRedemption(authorization: string | undefined, body: unknown): Redemption {
  const given = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  const fields = given as Record<string, unknown>;
  const errors: FieldErrors = {};
  const sent = fields.enrollment_code ?? fields.enrolment_code ?? readBearerCode(authorization);
  if (sent === undefined || sent === null || sent === "") {
    errors.enrollment_code = ["The enrollment_code is required."];
  } else if (typeof sent !== "string") errors.enrollment_code = ["The enrollment_code must be a string."];
  const handleFault = fields.handle == null ? null : findHandleFault(fields.handle);
  if (handleFault !== null) errors.handle = [handleFault];
  const name = readDisplayName(fields.display_name, errors);
  for (const member of Object.keys(fields)) {
    if (!MEMBERS.has(member))
      errors[member] = [`There is no member ${member}; allowed: ${[...MEMBERS].join(", ")}.`];
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  const code = normalizeEnrollmentCode(String(sent));
  if (code === null) throw enrollmentInvalid();
  return { code, handle: typeof fields.handle === "string" ? fields.handle : null, displayName: name };
}

const MEMBERS = new Set(["enrollment_code", "enrolment_code", "handle", "display_name"]);

function readDisplayName(value: unknown, errors: FieldErrors): string | null {
  if (value === undefined || value === null) return null;
  const name = typeof value === "string" ? value.trim() : "";
  const fault = findSingleLineFault(name);
  if (typeof value !== "string" || name === "") errors.display_name = ["The display_name must be a text."];
  else if (fault !== null) errors.display_name = [`The display_name ${fault}.`];
  else if (countCodePoints(name) > 80)
    errors.display_name = ["The display_name is longer than 80 characters."];
  return name;
}

function readBearerCode(authorization: string | undefined): string | undefined {
  return /^Bearer +(bse_.+)$/i.exec(authorization ?? "")?.[1];
}

/** 422: no code of this kind was ever issued. */
export function enrollmentInvalid() {
  return refuse(
    "enrollment_invalid",
    "The enrolment code is not valid.",
    "Check the code, or ask your owner for a new one.",
  );
}
