import { z } from "zod";
import { addProblem, conclude, type Outcome, type Problems } from "./explain.ts";
import { isRecord, readMembers, takeEither } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

/** Reads the body of POST /agents; its code, in either spelling, wins over the header's. Never throws. */
export function parseRedemptionRequest(
  body: unknown,
  headerCode: string | undefined,
): Outcome<{ code: string; handle: string | null; displayName: string | null }> {
  const problems: Problems = new Map();
  const members = isRecord(body) ? body : {};
  const { enrollment_code: _, enrolment_code: __, ...others } = members;
  const code = takeEither(members, ["enrollment_code", "enrolment_code"], problems) ?? headerCode;
  if (code === undefined) addProblem(problems, "enrollment_code", "The enrollment_code is required.");
  const sent = readMembers(schemasFor().redemption, { enrollment_code: code, ...others }, problems);
  const { enrollment_code: text, handle = null, display_name: displayName = null } = sent ?? {};
  return conclude(problems, text === undefined ? null : { code: text, handle, displayName });
}

/** Reads the names that an owner gives a new agent, by the rules of POST /agents. Never throws. */
export function parseNewAgent(sent: {
  handle: string;
  display_name?: string;
}): Outcome<{ handle: string; displayName: string | null }> {
  const problems: Problems = new Map();
  const { handle, display_name: displayName } = schemasFor().redemption.shape;
  const read = readMembers(z.strictObject({ handle, display_name: displayName }), sent, problems);
  return conclude(problems, read && { handle: sent.handle, displayName: read.display_name ?? null });
}
