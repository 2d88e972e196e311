import { isIP } from "node:net";
import { listRanges, RESERVED, UNREACHABLE } from "./closed-networks.ts";

const CLOSED = listRanges(...UNREACHABLE, ...RESERVED);

/**
 * Whether an address belongs to the open internet. In IPv6 only global unicast does: mapped, translated
 * (NAT64), local and link-local addresses do not, whatever they embed.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !CLOSED.check(address, "ipv4");
  if (family === 6) return GLOBAL_UNICAST.test(address) && !CLOSED.check(address, "ipv6");
  return false;
}

// 2000::/3, whose first group always has four digits: 2000 to 3fff.
const GLOBAL_UNICAST = /^[23][0-9a-f]{3}:/i;
