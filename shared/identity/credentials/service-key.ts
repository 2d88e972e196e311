import { hkdfSync } from "node:crypto";
import { findServiceKey, insertServiceKey } from "../../../sql/identity/service-keys.ts";
import type { Deps } from "../../platform/deps.ts";
import { makeLinkSecret } from "./tokens.ts";

const SECRET_BYTES = 32;

/**
 * A secret of 43 base64url characters that the service can make again at any time: it follows from the key of this name
 * and the id, and neither one tells the other. The first caller makes the key.
 */
export async function deriveSecret(deps: Deps, name: string, id: string): Promise<string> {
  const key = (await findServiceKey(deps.pool, name)) ?? (await makeKey(deps, name));
  const derived = hkdfSync("sha256", Buffer.from(key, "base64url"), "", `${name}:${id}`, SECRET_BYTES);
  return Buffer.from(derived).toString("base64url");
}

async function makeKey(deps: Deps, name: string): Promise<string> {
  await insertServiceKey(deps.pool, { name, secret: makeLinkSecret(), nowMs: deps.now() });
  // Another process may have made it first.
  const key = await findServiceKey(deps.pool, name);
  if (key === null) throw new Error(`the key ${name} that was just made is missing`);
  return key;
}
