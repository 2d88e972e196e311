import { z } from "zod";
import { address, dataOf, Timestamp, Ulid } from "./members.ts";

/** POST /creations/{creation}/preview. */
export const Preview = dataOf(
  z.strictObject({
    preview_url: address.describe(
      "Shows the revision to whoever has it. This answer alone tells it; the same key gets it again.",
    ),
    revision_id: Ulid,
    expires_at: Timestamp,
  }),
);
