import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, keyed } from "./arguments.ts";

/** Tools that came after the 27 of the specification. */
export const LATER_TOOLS: readonly Tool[] = [
  {
    name: "delete_draft",
    title: "Delete a draft",
    description:
      "Deletes a creation that was never published, with all its revisions; its slug is free again and its files expire unless another work uses them. Answers status 204 and no data.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed }),
    annotations: HINTS.removes,
    ability: "creations:write",
    foreign: false,
    request: { method: "DELETE", path: "/api/v1/creations/:creation_id", input: "query" },
  },
];
