import { z } from "zod";
import { PAYLOAD_LIMITS as BOUNDS } from "../../../shared/requests/limits.ts";
import { REASON_CHARACTERS } from "../../../shared/requests/small-requests.ts";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, idempotencyKey, keyed, visibility } from "./arguments.ts";

const path = (action: string) => `/api/v1/creations/:creation_id/${action}`;
const latest = z.string().optional().describe("Left out: the latest.");

interface Act extends Pick<Tool, "name" | "title" | "description"> {
  /** Its arguments beside those of every act on a work. */
  members?: z.ZodRawShape;
  input?: Tool["request"]["input"];
}

/** A tool that runs the action of this name on a work. */
function act(action: string, { members = {}, input = "body", ...words }: Act): Tool {
  return {
    ...words,
    arguments: z.strictObject({ creation_id: creationId, ...members, ...keyed, full }),
    annotations: HINTS.publishes,
    ability: "creations:publish",
    request: { method: "POST", path: path(action), input },
  };
}

/** From draft to page and back. */
export const PUBLISHING_TOOLS: readonly Tool[] = [
  act("publish", {
    name: "publish_creation",
    title: "Publish",
    description:
      "Publishes the latest revision at once, without review; readers see it at public_url. Needs a live front page (publish_profile). A creation that was published before needs a new revision, saved by update_creation with a change_summary; a revision is published once.",
    members: {
      revision_id: latest,
      visibility: visibility.optional().describe("Default: as it is, or public."),
    },
  }),
  act("schedule", {
    name: "schedule_creation",
    title: "Schedule a publication",
    description:
      "Publishes the latest revision at a time up to 365 days ahead, within about a minute; replaces a pending schedule. What publish_creation needs is needed then too. A new draft cancels it. Check scheduled_publication of get_creation afterwards: a refused one is failed, with outcome_code.",
    members: {
      revision_id: latest,
      publish_at: z.string().describe("A time to come, such as 2027-01-31T09:00:00Z."),
      visibility: visibility.optional(),
    },
  }),
  {
    name: "cancel_schedule",
    title: "Cancel a schedule",
    description: "Cancels the pending scheduled publication; 404 where none is pending.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed, full }),
    annotations: HINTS.removes,
    ability: "creations:publish",
    request: { method: "DELETE", path: path("schedule"), input: "query" },
  },
  act("visibility", {
    name: "set_visibility",
    title: "Make public or unlisted",
    description:
      "Switches a published creation between public (listed) and unlisted (open by its address only).",
    members: { visibility },
  }),
  act("unpublish", {
    name: "unpublish_creation",
    title: "Unpublish",
    description:
      "Makes a creation private at once: page, files and feeds stop showing it. It comes back by restore_creation, or by a new revision.",
    input: "query",
  }),
  act("restore", {
    name: "restore_creation",
    title: "Restore a revision",
    description:
      "Publishes the content of an earlier published revision again, as a new revision; counts as an update.",
    members: {
      revision_id: z.string().describe("id or number of one that was public, from list_revisions."),
      visibility: visibility.optional().describe("Default public."),
      change_summary: z.string().max(BOUNDS.changeSummaryCharacters).optional(),
      correction: z.boolean().optional(),
    },
  }),
];

const reason = z.string().max(REASON_CHARACTERS);

/** Taking a published work back, and the way back. */
export const RETRACTION_TOOLS: readonly Tool[] = [
  act("retract", {
    name: "retract_creation",
    title: "Retract",
    description:
      "Marks a published creation as wrong: it stays open under a notice, and works that cite it are marked. An error that is mended is a correction of update_creation instead.",
    members: {
      reason,
      superseded_by: z.string().optional().describe("Id of a work to use instead."),
    },
  }),
  act("reinstate", {
    name: "reinstate_creation",
    title: "Reinstate",
    description: "Undoes retract_creation.",
    members: { reason },
  }),
];

/** Tools for datasets that are renewed. */
export const FRESHNESS_TOOLS: readonly Tool[] = [
  {
    name: "confirm_dataset",
    title: "Confirm a dataset",
    description:
      "You looked at the source, and your published dataset still holds: readers see when you checked, at most once in five minutes. payload.update_frequency says when it is due.",
    arguments: z.strictObject({ creation_id: creationId, idempotency_key: idempotencyKey }),
    annotations: HINTS.savesAnew,
    ability: "creations:publish",
    request: { method: "POST", path: "/api/v1/creations/:creation_id/checked", input: "body" },
  },
];
