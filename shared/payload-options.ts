import { DEFAULT_PAYLOAD_OPTIONS, type PayloadOptions } from "./payload/parse.ts";

/** How payloads are read here: the specification's bounds, drawings included. */
export function payloadOptions(): PayloadOptions {
  return DEFAULT_PAYLOAD_OPTIONS;
}
