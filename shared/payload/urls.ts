import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { atLeast, atMost } from "./lengths.ts";
import { trimBlanks } from "./text-fields.ts";

const PRIVATE = privateAddresses();
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i;
const AUTHORITY = /^https:\/\/([^/?#]*)/i;

/** A public HTTPS address without credentials, kept as written; the service never fetches it. */
export function urlField(maxCharacters: number) {
  return z
    .string()
    .overwrite(trimBlanks)
    .check(atLeast(1))
    .check(atMost(maxCharacters))
    .superRefine((url, context) => {
      const fault = url === "" ? null : findUrlFault(url);
      if (fault !== null) context.addIssue(fault);
    })
    .meta({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]://" });
}

/** Why an address may not be shown as a link, or null (spec.md shared rule 2, contract.md section 7 row 18). */
function findUrlFault(url: string): string | null {
  if (!url.isWellFormed() || /[\u0000-\u0020\u007f-\u00a0]/.test(url) || /\p{White_Space}/u.test(url)) {
    return "must not hold blanks, line breaks or control characters; write a blank as %20";
  }
  const authority = AUTHORITY.exec(url)?.[1];
  // URL readers mend `https:example.org` and `https:\\example.org` silently; people would not read them so.
  if (authority === undefined || url.includes("\\")) return "must begin with https:// and hold no backslash";
  if (authority.includes("@")) return "must not hold a user name or password before the host";
  const host = hostOf(url);
  if (host === null) return "is not an address that a browser could open; check host and port";
  return isPrivate(host) ? "must not lead to a private or local address" : null;
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

/** Ranges that no reader elsewhere can reach (RFC 6890); IPv4 in IPv6 is found by BlockList itself. */
function privateAddresses(): BlockList {
  const list = new BlockList();
  const ranges: [string, number][] = [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["224.0.0.0", 3],
    ["::", 127],
    ["fc00::", 7],
    ["fe80::", 10],
    ["ff00::", 8],
  ];
  for (const [net, bits] of ranges) list.addSubnet(net, bits, isIP(net) === 6 ? "ipv6" : "ipv4");
  return list;
}
