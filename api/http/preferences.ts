import type { FastifyRequest } from "fastify";
import { currentInnerCall } from "./inner-calls.ts";

/** Reads the header Prefer; preferences that this service does not have are ignored, as RFC 7240 says. */
export function readPreferences(request: FastifyRequest) {
  const preferences = new Map<string, string>();
  for (const part of (readHeader(request, "prefer") ?? "").split(",")) {
    const [preference = ""] = part.split(";");
    const [name = "", value = ""] = preference.split("=").map((text) => text.trim().toLowerCase());
    // Of one that is repeated the first counts.
    if (!preferences.has(name)) preferences.set(name, value.replaceAll('"', ""));
  }
  return {
    /** Not to wait for the inspection of an upload. */
    respondsAsync: preferences.has("respond-async"),
    /** To get ids, states and versions alone. */
    isMinimal: preferences.get("return") === "minimal",
  };
}

/** The value of a header; several of one name are joined, as in HTTP. */
export function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The bytes that a tool call prefers of its answer; other requests have no such preference. */
export function readPreferredBytes({ headers }: FastifyRequest): number | null {
  if (currentInnerCall() === undefined) return null;
  const bytes = /^max-bytes=(\d{1,9})$/.exec(String(headers.prefer))?.[1];
  return bytes === undefined ? null : Number(bytes);
}
