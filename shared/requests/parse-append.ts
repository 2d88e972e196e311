import type { z } from "zod";
import { addProblem, conclude, type Outcome, type Problems } from "./explain.ts";
import { refuseMinorCorrection } from "./parse-requests.ts";
import { isRecord, readRequest } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

type AppendFields = z.output<ReturnType<typeof schemasFor>["appendForm"]>;

/** Reads the body of POST /creations/{creation}/append, or the fields of a form with a file. Never throws. */
export function parseAppendRequest(body: unknown, hasFile: boolean): Outcome<AppendFields> {
  const problems: Problems = new Map();
  const { rows = null, ...fields } = isRecord(body) ? body : {};
  const { append, appendForm } = schemasFor();
  if (rows === null && !hasFile)
    addProblem(problems, "rows", "Send the new rows here, as JSON, or a file in the form field file.");
  if (rows !== null && hasFile) addProblem(problems, "rows", "Send rows or a file, not both.");
  const sent = hasFile ? readRequest(appendForm, fields, problems) : readRequest(append, body, problems);
  if (sent !== null) refuseMinorCorrection(sent, problems);
  return conclude(problems, sent);
}
