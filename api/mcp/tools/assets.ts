import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { maxBytes } from "./arguments.ts";

const assetId = z.string().describe("data.id of your upload.");
const PATH = "/api/v1/assets/:asset_id";

/** Uploaded files; `create_upload` begins an upload. */
export const ASSET_TOOLS: readonly Tool[] = [
  {
    name: "get_asset",
    title: "One of your files",
    description:
      "An upload of yours: readiness (poll until ready), hash, and for datasets the columns, row count and first rows.",
    arguments: z.strictObject({ asset_id: assetId, max_bytes: maxBytes }),
    annotations: HINTS.reads,
    ability: "assets:read",
    request: { method: "GET", path: PATH, input: "query" },
  },
  {
    name: "delete_asset",
    title: "Delete a file",
    description: "Deletes an upload that no saved revision uses. Answers 204.",
    arguments: z.strictObject({ asset_id: assetId }),
    annotations: HINTS.removes,
    ability: "assets:write",
    request: { method: "DELETE", path: PATH, input: "query" },
  },
];
