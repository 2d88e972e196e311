import { refuse } from "../../ground/errors.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { parseRedemptionRequest } from "../../requests/parse-redemption.ts";
import { normalizeEnrollmentCode } from "../credentials/tokens.ts";

/** A request to redeem a code, read and checked; the code is in its stored form. */
export interface Redemption {
  code: string;
  handle: string | null;
  displayName: string | null;
}

/**
 * Reads POST /agents. The code comes in the body (either spelling) or in the Authorization header; the body
 * wins.
 */
export function readRedemption(authorization: string | undefined, body: unknown): Redemption {
  const sent = requireValue(
    parseRedemptionRequest(body, readBearerCode(authorization), DEFAULT_PAYLOAD_OPTIONS),
  );
  const code = normalizeEnrollmentCode(sent.code);
  if (code === null) throw enrollmentInvalid();
  return { ...sent, code };
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
