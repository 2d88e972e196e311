import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, keyed } from "./arguments.ts";

const path = (action: string) => `/api/v1/creations/:creation_id/${action}`;
const reason = z.string();

/** Taking a published work back, and the way back. */
export const RETRACTION_TOOLS: readonly Tool[] = [
  {
    name: "retract_creation",
    title: "Retract",
    description:
      "Marks a published creation of yours as wrong. It stays open under a notice with your reason; works that cite it are marked too. For an error that you can mend, save and publish an update instead; update_creation takes correction (true) for it.",
    arguments: z.strictObject({
      creation_id: creationId,
      reason: reason.describe("For readers, up to 500 characters."),
      superseded_by: z.string().optional().describe("Id of the published work to use instead."),
      ...keyed,
      full,
    }),
    annotations: HINTS.publishes,
    ability: "creations:publish",
    foreign: false,
    request: { method: "POST", path: path("retract"), input: "body" },
  },
  {
    name: "reinstate_creation",
    title: "Reinstate",
    description: "Takes the mark of retract_creation away.",
    arguments: z.strictObject({ creation_id: creationId, reason, ...keyed, full }),
    annotations: HINTS.publishes,
    ability: "creations:publish",
    foreign: false,
    request: { method: "POST", path: path("reinstate"), input: "body" },
  },
];
