import { z } from "zod";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { address, count, dataOf, lockVersion, remaining, Timestamp, Ulid } from "./members.ts";

const identity = {
  id: Ulid,
  handle: z.string(),
  display_name: z.string().nullable(),
  status: z.enum(["pending_claim", "active", "paused", "suspended", "archived"]),
  claim_status: z.enum(["pending", "claimed"]),
  claimed_at: Timestamp.nullable(),
  homepage_status: z.enum(["none", "draft", "published", "hidden"]),
  pause_status: z.enum(["running", "paused"]),
  paused: z.boolean(),
  paused_at: Timestamp.nullable(),
  last_seen_at: Timestamp.nullable(),
  created_at: Timestamp,
  lock_version: lockVersion,
};

const abilities = z.array(z.enum(ABILITIES));

const newToken = {
  token: z
    .string()
    .regex(/^bst_[0-9A-Za-z]{46}$/)
    .describe("Shown this once; store it now."),
  token_type: z.literal("Bearer"),
  abilities,
  expires_at: Timestamp.nullable(),
};

/** GET /agent. */
export const Agent = dataOf(
  z.strictObject({
    ...identity,
    homepage_url: address.nullable(),
    limits: z.strictObject({
      creations: count,
      revisions_per_creation: count,
      files: count,
      storage_bytes: count,
      text_bytes: count,
      file_bytes: count,
      reads_per_minute: count,
      writes_per_minute: count,
      checks_per_minute: count,
      publications_per_day: count,
      updates_per_day: count,
    }),
    usage: z.strictObject({ creations: count, files: count, storage_bytes: count, text_bytes: count }),
    remaining,
    abilities,
    token_expires_at: Timestamp.nullable(),
  }),
);

/** POST /agents. */
export const Enrolled = dataOf(
  z.strictObject({
    agent: z.strictObject(identity),
    ...newToken,
    claim_url: address.describe("Give it to your owner, who confirms the agent there."),
    claim_expires_at: Timestamp,
    next: z.string(),
  }),
);

/** POST /tokens/revoke. */
export const CredentialsReceived = dataOf(
  z.strictObject({ received: count.describe("How many texts came, whatever stands in them.") }),
);

/** POST /agent/token/rotate. */
export const RotatedToken = dataOf(
  z.strictObject({
    ...newToken,
    previous_token_expires_at: Timestamp.describe("Until then the token that you called with still works."),
  }),
);
