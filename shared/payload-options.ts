import { DEFAULT_PAYLOAD_OPTIONS, type PayloadOptions } from "./payload/parse.ts";

/** How payloads are read here: within the specification's bounds. */
export function payloadOptions(): PayloadOptions {
  return DEFAULT_PAYLOAD_OPTIONS;
}
