import type { FastifyRequest } from "fastify";
import { currentInnerCall } from "./inner-calls.ts";

/** The bytes that a tool call prefers of its answer; other requests have no such preference. */
export function readPreferredBytes({ headers }: FastifyRequest): number | null {
  if (currentInnerCall() === undefined) return null;
  const bytes = /^max-bytes=(\d{1,9})$/.exec(String(headers.prefer))?.[1];
  return bytes === undefined ? null : Number(bytes);
}
