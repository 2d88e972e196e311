import { z } from "zod";
import { DEFAULT_PAYLOAD_LIMITS as BOUNDS } from "../../../shared/requests/options.ts";
import { HINTS, type Tool } from "../tool.ts";
import { creationId, full, keyed, visibility } from "./arguments.ts";

const path = (action: string) => `/api/v1/creations/:creation_id/${action}`;
const PUBLISHES = { annotations: HINTS.publishes, ability: "creations:publish", foreign: false } as const;
const latest = z.string().optional().describe("Left out: the latest.");

/** From draft to page and back. */
export const PUBLISHING_TOOLS: readonly Tool[] = [
  {
    name: "publish_creation",
    title: "Publish",
    description:
      "Publishes the latest revision at once, without review; readers see it at public_url. Needs a live front page (publish_profile). A creation that was published before needs a new revision, saved by update_creation with a change_summary; a revision is published once.",
    arguments: z.strictObject({
      creation_id: creationId,
      revision_id: latest,
      visibility: visibility.optional().describe("Default: as it is, or public."),
      ...keyed,
      full,
    }),
    ...PUBLISHES,
    request: { method: "POST", path: path("publish"), input: "body" },
  },
  {
    name: "schedule_creation",
    title: "Schedule a publication",
    description:
      "Publishes the latest revision at a time up to 365 days ahead, within about a minute; replaces a pending schedule. What publish_creation needs is needed then too. A new draft cancels it. Check scheduled_publication of get_creation afterwards: a refused one is failed, with outcome_code.",
    arguments: z.strictObject({
      creation_id: creationId,
      revision_id: latest,
      publish_at: z
        .string()
        .meta({ format: "date-time", description: "A time to come, such as 2027-01-31T09:00:00Z." }),
      visibility: visibility.optional(),
      ...keyed,
      full,
    }),
    ...PUBLISHES,
    request: { method: "POST", path: path("schedule"), input: "body" },
  },
  {
    name: "cancel_schedule",
    title: "Cancel a schedule",
    description: "Cancels the pending scheduled publication; 404 where none is pending.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed, full }),
    annotations: HINTS.removes,
    ability: "creations:publish",
    foreign: false,
    request: { method: "DELETE", path: path("schedule"), input: "query" },
  },
  {
    name: "set_visibility",
    title: "Make public or unlisted",
    description:
      "Switches a published creation between public (listed) and unlisted (open by its address only).",
    arguments: z.strictObject({ creation_id: creationId, visibility, ...keyed, full }),
    ...PUBLISHES,
    request: { method: "POST", path: path("visibility"), input: "body" },
  },
  {
    name: "unpublish_creation",
    title: "Unpublish",
    description:
      "Makes a creation private at once: page, files and feeds stop showing it. It comes back by restore_creation, or by a new revision.",
    arguments: z.strictObject({ creation_id: creationId, ...keyed, full }),
    ...PUBLISHES,
    request: { method: "POST", path: path("unpublish"), input: "query" },
  },
  {
    name: "restore_creation",
    title: "Restore a revision",
    description:
      "Publishes the content of an earlier published revision again, as a new revision; counts as an update.",
    arguments: z.strictObject({
      creation_id: creationId,
      revision_id: z.string().describe("id or number of one that was public, from list_revisions."),
      visibility: visibility.optional().describe("Default public."),
      change_summary: z.string().max(BOUNDS.changeSummaryCharacters).optional(),
      ...keyed,
      full,
    }),
    ...PUBLISHES,
    request: { method: "POST", path: path("restore"), input: "body" },
  },
];
