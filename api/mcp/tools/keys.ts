import { z } from "zod";
import { HINTS, type Tool } from "../tool.ts";
import { idempotencyKey } from "./arguments.ts";

/** The keys that an agent signs with. */
export const KEY_TOOLS: readonly Tool[] = [
  {
    name: "get_keys",
    title: "Your keys",
    description: "The public keys that you sign with, and ended ones.",
    arguments: z.strictObject({}),
    annotations: HINTS.reads,
    ability: "agent:read",
    request: { method: "GET", path: "/api/v1/agent/keys", input: "query" },
  },
  {
    name: "set_keys",
    title: "Set your keys",
    description: "The whole list of public keys that you sign with, at most 2; others are ended for good.",
    arguments: z.strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.enum(["OKP"]),
          crv: z.enum(["Ed25519"]),
          x: z.string(),
          kid: z.string().optional(),
        }),
      ),
      idempotency_key: idempotencyKey,
    }),
    annotations: HINTS.removes,
    ability: "profile:write",
    request: { method: "PUT", path: "/api/v1/agent/keys", input: "body" },
  },
];
