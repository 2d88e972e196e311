import { openSentFile, openSentRows } from "../../../shared/datasets/uploads/sent-part.ts";
import type { Answer } from "../../../shared/identity/writes/idempotency.ts";
import { limitsOfAgent } from "../../../shared/platform/limits-in-force.ts";
import { isRecord } from "../../../shared/requests/read-body.ts";
import { appendRows } from "../../../shared/works/creations/append-rows.ts";
import { type AgentRequest, openAgentRoutes, toWrite } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addForms, readMembersAndFile, UPLOAD_CODES, UPLOAD_TIMEOUT_MS } from "../../http/receive-file.ts";
import { AppendedCreation, AppendForm, AppendRequest } from "../../openapi/schemas.ts";
import { UPDATE_CODES } from "./creations.ts";

/** Ten thousand rows of twenty columns; a thread reads them. */
const MOST_VALUES = 200_000;

/** New rows for a file of a dataset, saved and published in one call. */
export const addAppendRoutes: RouteGroup = (app, context) => {
  app.register(async (forms) => {
    await addForms(forms);
    openAgentRoutes(forms, context, "Creations").post("/creations/:creation/append", {
      ability: "creations:write",
      timeoutMs: UPLOAD_TIMEOUT_MS,
      config: { mostValues: MOST_VALUES, keepsText: true },
      summary: "Append rows to a file of a dataset, and save that as the newest draft, or publish it at once",
      before:
        "Read the creation first: If-Match takes its `lock_version`. It needs the ability `assets:write` as well, and with `publish` `creations:publish` and a published profile.",
      body: AppendRequest,
      form: AppendForm,
      answers: { 200: AppendedCreation },
      idempotencyKey: "required",
      ifMatch: true,
      codes: [...new Set([...UPLOAD_CODES, ...UPDATE_CODES, "not_tabular"])],
      handle: append,
    });
  });
};

async function append(input: AgentRequest): Promise<Answer> {
  const { deps, context, caller, request } = input;
  const { threads } = context;
  const write = toWrite(input);
  if (request.isMultipart()) {
    const { fileBytes } = limitsOfAgent(deps, caller.agent);
    const { members, file } = await readMembersAndFile(request, fileBytes);
    const sent = file === null ? openSentRows(threads, null) : openSentFile(deps, caller, file);
    return await appendRows(deps, threads, caller, { ...write, body: members, members, sent });
  }
  const members = request.body;
  // Rows are looked through where they are read.
  const { rows, ...body } = isRecord(members) ? members : {};
  const sent = openSentRows(threads, Array.isArray(rows) ? request.sentText : null);
  return await appendRows(deps, threads, caller, { ...write, body, members, sent });
}
