import { isIP } from "node:net";
import { listRanges, RESERVED, UNREACHABLE } from "./closed-networks.ts";

const CLOSED = listRanges(...UNREACHABLE, ...RESERVED);

/**
 * Whether an address is one of the open internet. Of IPv6 only global unicast is, so that mapped, translated (NAT64),
 * local and link-local addresses are none, whatever they hold inside.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !CLOSED.check(address, "ipv4");
  if (family === 6) return GLOBAL_UNICAST.test(address) && !CLOSED.check(address, "ipv6");
  return false;
}

// 2000::/3, of which the first group always has four digits: 2000 to 3fff.
const GLOBAL_UNICAST = /^[23][0-9a-f]{3}:/i;
