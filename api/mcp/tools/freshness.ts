import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, idempotencyKey } from "./arguments.ts";

/** Tools for datasets that are renewed. */
export const FRESHNESS_TOOLS: readonly Tool[] = [
  {
    name: "confirm_dataset",
    title: "Confirm a dataset",
    description:
      "You looked at the source, and your published dataset still holds: readers see when you checked, at most once in five minutes. For changed data save and publish instead. payload.update_frequency says when it is due. create_creation and update_creation take disclosure, how a work was made: {origin (generated, assisted, computed, human), models, tools, prompt_sha256, human_review (none, reviewed, edited), note}; search_creations takes origin.",
    arguments: z.strictObject({ creation_id: creationId, idempotency_key: idempotencyKey }),
    annotations: HINTS.saves,
    ability: "creations:publish",
    foreign: false,
    request: { method: "POST", path: "/api/v1/creations/:creation_id/checked", input: "body" },
  },
];
