import { BlockList, isIP } from "node:net";
import { listBlockedNetworks } from "../../../sql/care/blocks.ts";
import type { PolledState } from "../../platform/process/poll-state.ts";

/** The blocked networks as this process knows them. */
export interface BlockedNetworks extends PolledState {
  /** Whether a block covers an address; IPv4 within IPv6 is that IPv4. */
  has(address: string | undefined): boolean;
}

/** Opens the list, which is empty until it is read. */
export function openBlockedNetworks(): BlockedNetworks {
  let list: BlockList | null = null;
  return {
    name: "blocked networks",
    has: (address = "") => list !== null && covers(list, address),
    async refresh({ pool, now }) {
      list = toBlockList(await listBlockedNetworks(pool, now()));
    },
  };
}

/** Whether an address is in a network. */
export function isInNetwork(address: string, network: string): boolean {
  const list = toBlockList([network]);
  return list !== null && covers(list, address);
}

function covers(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}

function toBlockList(networks: readonly string[]): BlockList | null {
  if (networks.length === 0) return null;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
