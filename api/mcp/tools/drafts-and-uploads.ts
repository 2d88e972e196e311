import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, idempotencyKey, keyed, releasing, saving } from "./arguments.ts";

/** Tools that came after the 27 of the specification. */
export const DRAFT_AND_UPLOAD_TOOLS: readonly Tool[] = [
  {
    name: "delete_draft",
    title: "Delete a draft",
    description:
      "Deletes a creation that was never published, with all its revisions; its slug is free again and its files expire unless another work uses them. Answers status 204 and no data.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed }),
    annotations: HINTS.removes,
    ability: "creations:write",
    request: { method: "DELETE", path: "/api/v1/creations/:creation_id", input: "query" },
  },
  {
    name: "append_rows",
    title: "Append rows",
    description:
      "Appends rows to a file of your dataset and saves that as a new draft, in one call; with publish it goes live. Label, notes and dictionary stay.",
    arguments: z.strictObject({
      creation_id: creationId,
      label: z.string().optional().describe("Of the attachment; left out: the only one."),
      rows: z
        .array(z.looseObject({}))
        .describe("Of a CSV file each names every column: text, number, true, false or null."),
      change_summary: saving.change_summary.describe("Left out: how many rows were added."),
      minor: saving.minor.unwrap().optional(),
      correction: z.boolean().optional(),
      publish: releasing.publish,
      ...keyed,
      full,
    }),
    verbatim: "rows",
    annotations: HINTS.saves,
    ability: "creations:write",
    request: { method: "POST", path: "/api/v1/creations/:creation_id/append", input: "body" },
  },
  {
    name: "create_upload",
    title: "Make an upload address",
    description:
      "An address that takes one file for 15 minutes, without a token. Run data.curl in the folder of the file, or PUT the bytes to data.upload_url; the answer's data.id is the asset_id.",
    arguments: z.strictObject({
      filename: z.string().describe("Ends in .csv, .json, .txt or .md; .csv.gz and .json.zst too."),
      bytes: z.int().min(1).optional().describe("Size of the file, to learn at once of a quota in its way."),
      idempotency_key: idempotencyKey,
    }),
    annotations: HINTS.saves,
    ability: "assets:write",
    request: { method: "POST", path: "/api/v1/uploads", input: "body" },
  },
];
