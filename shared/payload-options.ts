import type { Deps } from "./deps.ts";
import { DEFAULT_PAYLOAD_LIMITS } from "./payload/parse.ts";

/** How payloads are read here: the specification's bounds; drawings come with their own parsers. */
export function payloadOptions(_deps: Deps) {
  return { limits: DEFAULT_PAYLOAD_LIMITS, drawings: false };
}
