import type { z } from "zod";
import { addProblem, conclude, type Outcome, type Problems } from "./explain.ts";
import { refuseMinorCorrection } from "./parse-requests.ts";
import { isRecord, readRequest } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

type AppendFields = z.output<ReturnType<typeof schemasFor>["appendForm"]>;

/** The payload names the file by its id, which this very call makes. */
const UNSIGNABLE =
  "Nobody can sign an append: its payload names a file that is not there before. Leave out signature and publish, then sign the draft: save it with an empty changes, signature and publish.";

/** Reads the body of POST /creations/{creation}/append, or the fields of a form with a file. Never throws. */
export function parseAppendRequest(body: unknown, hasFile: boolean): Outcome<AppendFields> {
  const problems: Problems = new Map();
  const { signature = null, ...unsigned } = isRecord(body) ? body : {};
  const { rows = null, ...fields } = unsigned;
  const { append, appendForm } = schemasFor();
  if (signature !== null) addProblem(problems, "signature", UNSIGNABLE);
  if (rows === null && !hasFile)
    addProblem(problems, "rows", "Send the new rows here, as JSON, or a file in the form field file.");
  if (rows !== null && hasFile) addProblem(problems, "rows", "Send rows or a file, not both.");
  const sent = hasFile
    ? readRequest(appendForm, fields, problems)
    : readRequest(append, isRecord(body) ? unsigned : body, problems);
  if (sent !== null) refuseMinorCorrection(sent, problems);
  return conclude(problems, sent);
}
