import type { z } from "zod";
import { addProblem, conclude, type Outcome, type Problems } from "./explain.ts";
import { refuseMinorCorrection } from "./parse-requests.ts";
import { isRecord, readRequest } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

type AppendRequest = z.output<ReturnType<typeof schemasFor>["append"]>;

/** Reads the body of POST /creations/{creation}/append, or the fields of its form. Never throws. */
export function parseAppendRequest(body: unknown, hasFile: boolean): Outcome<AppendRequest> {
  const problems: Problems = new Map();
  const hasRows = isRecord(body) && (body.rows ?? null) !== null;
  if (hasRows && hasFile) addProblem(problems, "rows", "Send rows or a file, not both.");
  if (!hasRows && !hasFile)
    addProblem(problems, "rows", "Send the new rows here, as JSON, or a file in the form field file.");
  const sent = readRequest(schemasFor().append, body, problems);
  if (sent !== null) refuseMinorCorrection(sent, problems);
  return conclude(problems, sent);
}
