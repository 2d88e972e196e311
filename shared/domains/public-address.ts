import { BlockList, isIP } from "node:net";

const CLOSED = listClosed();

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

/** Ranges of RFC 6890 that no server of the open internet has, and tunnels that lead to IPv4 (6to4, Teredo). */
function listClosed(): BlockList {
  const list = new BlockList();
  const ranges: [string, number][] = [
    ...([
      ["0.0.0.0", 8],
      ["10.0.0.0", 8],
      ["100.64.0.0", 10],
      ["127.0.0.0", 8],
      ["169.254.0.0", 16],
      ["172.16.0.0", 12],
      ["192.0.0.0", 24],
      ["192.0.2.0", 24],
      ["192.88.99.0", 24],
      ["192.168.0.0", 16],
      ["198.18.0.0", 15],
      ["198.51.100.0", 24],
      ["203.0.113.0", 24],
      ["224.0.0.0", 3],
    ] as [string, number][]),
    ...([
      ["2001::", 23],
      ["2001:db8::", 32],
      ["2002::", 16],
      ["3fff::", 20],
    ] as [string, number][]),
  ];
  for (const [net, bits] of ranges) list.addSubnet(net, bits, isIP(net) === 6 ? "ipv6" : "ipv4");
  return list;
}
