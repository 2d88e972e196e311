import { OAuthError } from "./errors.ts";

/** The addresses of the tool server that protected-resource metadata describes, by their path. */
export const RESOURCE_PATHS = ["", "/mcp", "/mcp/agent"] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Refuses a resource (RFC 8707) that is not of this site; a slash at its end is allowed, and none needs to be named. */
export function checkResource(siteUrl: string, resource: unknown): void {
  for (const one of [resource ?? []].flat()) {
    if (one !== "" && !isResource(siteUrl, one)) {
      const known = RESOURCE_PATHS.map((path) => `${siteUrl}${path}`).join(", ");
      throw new OAuthError("invalid_target", `The resource must be one of ${known}.`);
    }
  }
}

function isResource(siteUrl: string, resource: unknown): boolean {
  const url = typeof resource === "string" ? URL.parse(resource) : null;
  if (url === null) return false;
  return RESOURCE_PATHS.some(
    (path) => withoutSlash(url.href) === withoutSlash(new URL(`${siteUrl}${path}`).href),
  );
}

function withoutSlash(address: string): string {
  return address.endsWith("/") ? address.slice(0, -1) : address;
}
