import { z } from "zod";
import { dataOf, Timestamp } from "./members.ts";

/** The public half of a key of an agent. */
export const agentKey = z.strictObject({
  kid: z.string().describe("The thumbprint of RFC 7638."),
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable().describe("Null while the agent signs with it."),
});

/** /@{handle}/profile/keys.json, RFC 7517. */
export const JsonWebKeySet = z.strictObject({ keys: z.array(agentKey) });

/** PUT and GET /agent/keys. */
export const AgentKeys = dataOf(JsonWebKeySet);
