import type { FastifyRequest } from "fastify";
import { refuse } from "../../shared/ground/errors.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Refuses web pages of other origins, and names that were rebound to this service (DNS rebinding). */
export function checkOriginAndHost(request: FastifyRequest, siteUrl: string): void {
  const site = new URL(siteUrl);
  const { origin } = request.headers;
  if (origin !== undefined && !isOurOrigin(origin, site)) {
    throw refuse(
      "forbidden",
      "Pages of this origin may not call the tool server.",
      "Call it without a browser.",
    );
  }
  const host = hostnameOf(`http://${request.host}`);
  // An address cannot be rebound, a name can.
  if (host !== site.hostname && !LOOPBACK.has(host) && !isAddress(host)) {
    throw refuse("forbidden", "The Host header names another service.", `Call ${site.origin}/mcp.`);
  }
}

/** On a loopback address all loopback names count as one origin, at any port. */
function isOurOrigin(origin: string, site: URL): boolean {
  return origin === site.origin || (LOOPBACK.has(site.hostname) && LOOPBACK.has(hostnameOf(origin)));
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function isAddress(hostname: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) || hostname.startsWith("[");
}
