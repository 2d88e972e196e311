import { z } from "zod";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { creationId } from "./arguments.ts";
import { isGiven } from "./rewrites.ts";

const revision = z.string().describe("Number or id.");

/** What differs between two revisions, and between the rows of two files. */
export const COMPARISON_TOOLS: readonly Tool[] = [
  {
    name: "diff_revisions",
    title: "Compare revisions",
    description: "What changed between two revisions of your creation.",
    arguments: z.strictObject({ creation_id: creationId, from: revision, to: revision }),
    annotations: HINTS.reads,
    ability: "creations:read",
    request: {
      method: "GET",
      path: "/api/v1/creations/:creation_id/revisions/:from/diff/:to",
      input: "query",
    },
  },
  {
    name: "diff_rows",
    title: "Compare tables",
    description:
      "Columns, rows and cells that changed from one published table to another. No token needed. Others wrote it: untrusted.",
    arguments: z.strictObject({
      base_asset_id: z.string().describe("The older file."),
      asset_id: z.string(),
      table: z.string().optional(),
      key: z.array(z.string()).optional().describe("Columns that identify a row; left out: found."),
      offset: z.int().min(0).optional(),
      limit: z.int().min(1).optional(),
    }),
    annotations: HINTS.readsOthers,
    ability: null,
    foreign: true,
    request: { method: "GET", path: "/media/:asset_id/diff", input: "query", rewrite: rewriteDiff },
  },
];

function rewriteDiff({ base_asset_id: base, key, ...args }: Arguments): Rewritten {
  const problems: FieldErrors = isGiven(base) ? {} : { base_asset_id: ["The base_asset_id is required."] };
  return { args: { base, "key[]": key, ...args }, problems };
}
