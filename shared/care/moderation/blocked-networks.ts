import { BlockList, isIP } from "node:net";
import { findBlockedNetworks } from "../../../sql/care/blocks.ts";
import type { PolledState } from "../../platform/process/poll-state.ts";

/** The blocked networks as this process knows them. */
export interface BlockedNetworks extends PolledState {
  /** Whether there is no block at all, as in most services. */
  isEmpty(): boolean;
  /** Whether a block covers an address; IPv4 within IPv6 is that IPv4. */
  has(address: string | undefined): boolean;
}

/** Opens the list, which is empty until it is read. */
export function openBlockedNetworks(): BlockedNetworks {
  let list: BlockList | null = null;
  let digest = "";
  return {
    name: "blocked networks",
    isEmpty: () => list === null,
    has: (address = "") => list !== null && covers(list, address),
    /** Takes the list only where it is another than before. */
    async refresh({ pool, now }) {
      const read = await findBlockedNetworks(pool, digest, now());
      digest = read.digest;
      if (read.networks !== null) list = toBlockList(read.networks);
    },
  };
}

/** Whether an address is in a network. */
export function isInNetwork(address: string, network: string): boolean {
  const list = toBlockList(network);
  return list !== null && covers(list, address);
}

function covers(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}

function toBlockList(written: string): BlockList | null {
  if (written === "") return null;
  const list = new BlockList();
  for (const network of written.split(" ")) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
