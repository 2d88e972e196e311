import { isIPv4, isIPv6 } from "node:net";

const PRIVATE_NETWORKS = ["loopback", "linklocal", "uniquelocal"] as const;
/** What an entry may be other than an address. */
export const TRUST_WORDS = ["true", "false", ...PRIVATE_NETWORKS] as const;
const FORMS =
  "true, false, or a list of addresses and networks, separated by commas, such as 10.0.0.7,192.168.0.0/16";
const PREFIX = /^\d{1,3}$/;

/** Why proxies cannot be trusted by a text, and what to write; null where they can. */
export function explainTrustedProxies(text: string): string | null {
  if (text === "true" || text === "false") return null;
  if (/^\d+$/.test(text)) return `${FORMS}; a count of hops can be forged`;
  const wrong = splitList(text).find((entry) => !isTrustable(entry));
  if (wrong === undefined) return null;
  if (wrong === "") return `${FORMS}; one entry is empty`;
  return text === wrong ? FORMS : `${FORMS}; ${wrong} is neither`;
}

/** The first entry that cannot be trusted, for the question what was meant; the whole text where there is none. */
export function findWrongProxy(text: string): string {
  return splitList(text).find((entry) => !isTrustable(entry)) ?? text;
}

/**
 * `true` trusts proxies on this machine and private networks only: an open list could be forged by anybody.
 */
export function readTrustedProxies(value: string): false | string[] {
  if (value === "false") return false;
  return value === "true" ? [...PRIVATE_NETWORKS] : splitList(value);
}

const splitList = (text: string) => text.split(",").map((entry) => entry.trim());

function isTrustable(entry: string): boolean {
  if (PRIVATE_NETWORKS.some((name) => name === entry)) return true;
  const [address = "", prefix, ...more] = entry.split("/");
  if (more.length > 0 || !(isIPv4(address) || isIPv6(address))) return false;
  return prefix === undefined || isPrefix(prefix, address) || (isIPv4(address) && isNetmask(prefix));
}

function isPrefix(prefix: string, address: string): boolean {
  const bits = PREFIX.test(prefix) ? Number(prefix) : 0;
  return bits >= 1 && bits <= (isIPv4(address) ? 32 : 128);
}

/** Whether a text is ones and then zeros, as 255.255.0.0. */
function isNetmask(mask: string): boolean {
  if (!isIPv4(mask)) return false;
  const bits = mask.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return /^1+0*$/.test(bits.join(""));
}
