import { z } from "zod";
import { REASON_CHARACTERS } from "../../../shared/requests/retraction.ts";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, keyed } from "./arguments.ts";

const path = (action: string) => `/api/v1/creations/:creation_id/${action}`;
const reason = z.string().max(REASON_CHARACTERS);

/** Taking a published work back, and the way back. */
export const RETRACTION_TOOLS: readonly Tool[] = [
  {
    name: "retract_creation",
    title: "Retract",
    description:
      "Marks a published creation as wrong: it stays open under a notice, and works that cite it are marked. For a mended error update_creation takes correction (true).",
    arguments: z.strictObject({
      creation_id: creationId,
      reason,
      superseded_by: z.string().optional().describe("Id of a work to use instead."),
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
    description: "Undoes retract_creation.",
    arguments: z.strictObject({ creation_id: creationId, reason, ...keyed, full }),
    annotations: HINTS.publishes,
    ability: "creations:publish",
    foreign: false,
    request: { method: "POST", path: path("reinstate"), input: "body" },
  },
];
