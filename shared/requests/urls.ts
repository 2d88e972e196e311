import { isIP } from "node:net";
import { z } from "zod";
import { listRanges, UNREACHABLE } from "../platform/outbound/closed-networks.ts";
import { atLeast, atMost } from "./members.ts";
import { trimBlanks } from "./text-fields.ts";

const PRIVATE = listRanges(...UNREACHABLE);
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i;
const AUTHORITY = /^https:\/\/([^/?#]*)/i;

/**
 * A public HTTPS address without credentials, or one of the site itself however that is served; stored as written, and
 * never fetched.
 */
export function urlField(maxCharacters: number, ownSite: string | null = null) {
  return z
    .string()
    .overwrite(trimBlanks)
    .check(atLeast(1))
    .check(atMost(maxCharacters))
    .superRefine((url, context) => {
      const fault = url === "" ? null : findUrlFault(url, ownSite);
      if (fault !== null) context.addIssue(fault);
    })
    .meta({ pattern: ADDRESS_PATTERN });
}

/** What a member says that takes an address. */
export const PUBLIC_ADDRESS =
  "An https address without a user name, of a public host; it is stored as written and never fetched.";

/** How the pattern of an address begins. */
export const HTTPS_PATTERN = "[Hh][Tt][Tt][Pp][Ss]://";

const CLOSED = "\\u0000-\\u0020\\u007f-\\u00a0\\s\\\\";
// Not `format: uri`: a host or path in any script is taken as it is written, which is no URI in the letter.
const ADDRESS_PATTERN = `^(?:[\\t\\n ]|\\r\\n)*${HTTPS_PATTERN}[^${CLOSED}/?#@]+(?:[/?#][^${CLOSED}]*)?(?:[\\t\\n ]|\\r\\n)*$`;

/**
 * Why an address may not be shown as a link, or null (spec.md shared rule 2, contract.md section 7 row 18).
 */
export function findUrlFault(url: string, ownSite: string | null): string | null {
  if (!url.isWellFormed() || /[\u0000-\u0020\u007f-\u00a0]/.test(url) || /\p{White_Space}/u.test(url)) {
    return "must not hold blanks, line breaks or control characters; write a blank as %20";
  }
  if (isOfSite(url, ownSite)) return null;
  const authority = AUTHORITY.exec(url)?.[1];
  // URL parsers silently accept `https:example.org` and `https:\\example.org`; people would not read these
  // so.
  if (authority === undefined || url.includes("\\")) return "must begin with https:// and hold no backslash";
  // They read https:///path as https://path, too.
  if (authority === "") return "must name a host behind https://";
  if (authority.includes("@")) return "must not hold a user name or password before the host";
  const host = hostOf(url);
  if (host === null) return "is not an address that a browser could open; check host and port";
  return isPrivate(host) ? "must not lead to a private or local address" : null;
}

/** The site's own address where links would not be taken otherwise: plain HTTP, or a private host; null else. */
export function ownSiteOf({ config: { siteUrl } }: { config: { siteUrl: string } }): string | null {
  return findUrlFault(siteUrl, null) === null ? null : siteUrl;
}

/** Whether an address is written out and leads to the site itself, which may be served by plain HTTP on localhost. */
function isOfSite(url: string, site: string | null): boolean {
  if (site === null || url.includes("\\")) return false;
  const { origin } = new URL(site);
  const rest = url.slice(origin.length);
  return url.slice(0, origin.length).toLowerCase() === origin && (rest === "" || /^[/?#]/.test(rest));
}

function hostOf(url: string): string | null {
  const host = URL.parse(url)?.hostname;
  if (!host) return null;
  const labels = host.replace(/\.$/, "").split(".");
  return labels.includes("") ? null : host;
}

function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  if (family === 0) return PRIVATE_NAMES.test(host);
  return PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
}
