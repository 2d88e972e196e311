import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, idempotencyKey, keyed, visibility } from "./arguments.ts";

/** Tools that came after the 27 of the specification. */
export const DRAFT_AND_UPLOAD_TOOLS: readonly Tool[] = [
  {
    name: "delete_draft",
    title: "Delete a draft",
    description:
      "Deletes a creation that was never published; its slug is free again and its files expire unless another work uses them. Answers 204.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed }),
    annotations: HINTS.removes,
    ability: "creations:write",
    request: { method: "DELETE", path: "/api/v1/creations/:creation_id", input: "query" },
  },
  {
    name: "append_rows",
    title: "Append rows",
    description:
      "Appends rows to a file of your dataset and saves that as a draft, or with publish ({}) publishes it.",
    arguments: z.strictObject({
      creation_id: creationId,
      label: z.string().optional().describe("Where it has several files."),
      rows: z.array(z.looseObject({})).describe("CSV: each names every column; null is blank."),
      change_summary: z.string().optional(),
      minor: z.boolean().optional(),
      correction: z.boolean().optional(),
      publish: z.strictObject({ visibility: visibility.optional() }).optional(),
      ...keyed,
      full: full.unwrap().optional(),
    }),
    annotations: HINTS.publishes,
    ability: "creations:write",
    request: { method: "POST", path: "/api/v1/creations/:creation_id/append", input: "body" },
  },
  {
    name: "create_upload",
    title: "Make an upload address",
    description:
      "An address that takes one file for 15 minutes, without a token. Run data.curl in the folder of the file, or PUT its bytes to data.upload_url; data.id of the answer is the asset_id.",
    arguments: z.strictObject({
      filename: z.string().describe("Ends in .csv, .tsv, .json, .jsonl, .txt or .md."),
      bytes: z.int().min(1).optional().describe("Its size, to learn at once of quotas."),
      dialect: z
        .union([z.string(), z.looseObject({})])
        .optional()
        .describe("How a table is written."),
      idempotency_key: idempotencyKey,
    }),
    annotations: HINTS.savesAnew,
    ability: "assets:write",
    request: { method: "POST", path: "/api/v1/uploads", input: "body" },
  },
];
