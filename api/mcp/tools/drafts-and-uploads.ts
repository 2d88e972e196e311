import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, idempotencyKey, keyed } from "./arguments.ts";

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
