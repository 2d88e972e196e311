import { z } from "zod";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { creationId, idempotencyKey } from "./arguments.ts";

/** Links that show a revision before it is published. */
export const PREVIEW_TOOLS: readonly Tool[] = [
  {
    name: "preview_creation",
    title: "Make a preview link",
    description: "A link that shows a revision to whoever has it; hours 0 ends all of the creation.",
    arguments: z.strictObject({
      creation_id: creationId,
      revision_id: z.string().optional().describe("Left out: the latest."),
      hours: z.int().min(0).optional(),
      idempotency_key: idempotencyKey,
    }),
    annotations: HINTS.savesAnew,
    ability: "creations:write",
    request: {
      method: "POST",
      path: "/api/v1/creations/:creation_id/preview",
      input: "body",
      rewrite: endWhereZero,
    },
  },
];

function endWhereZero(args: Arguments): Rewritten {
  const { hours, ...others } = args;
  return hours === 0 ? { args: others, problems: {}, method: "DELETE" } : { args, problems: {} };
}
