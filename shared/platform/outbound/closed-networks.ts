import { BlockList, isIP } from "node:net";

type Range = readonly [net: string, bits: number];

/**
 * Ranges that nobody elsewhere can reach (RFC 6890): a link to them leads nowhere, or into a reader's own
 * network.
 */
export const UNREACHABLE: readonly Range[] = [
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

/**
 * Ranges that no server of the open internet has, though a link may name them: documentation, and tunnels to
 * IPv4.
 */
export const RESERVED: readonly Range[] = [
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** A list that checks whether an address is in one of these ranges; it recognizes IPv4 in IPv6. */
export function listRanges(...ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of ranges) list.addSubnet(net, bits, isIP(net) === 6 ? "ipv6" : "ipv4");
  return list;
}

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
