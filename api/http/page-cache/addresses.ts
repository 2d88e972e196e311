import type { PageSubject } from "../../../shared/reading/page-cache.ts";

/** The page at an address: its subject, the name that it is cached under, and its route's pattern. */
export interface PageAddress {
  subject: PageSubject;
  name: string;
  route: string;
}

/** The addresses at which this process has lately answered with pages that it caches. */
export interface PageAddresses {
  note(address: string, page: PageAddress): void;
  find(address: string): PageAddress | undefined;
}

const MOST_ADDRESSES = 10_000;

const LONGEST_ADDRESS = 256;

/** Opens the list of addresses. A full list is cleared, and the next request of each address adds it anew. */
export function openPageAddresses(): PageAddresses {
  const known = new Map<string, PageAddress>();
  return {
    note(address, page) {
      // A query changes few pages, and would let anybody fill the list.
      if (address.length > LONGEST_ADDRESS || address.includes("?") || known.has(address)) return;
      if (known.size >= MOST_ADDRESSES) known.clear();
      known.set(address, page);
    },
    find: (address) => known.get(address),
  };
}
