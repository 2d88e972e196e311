import type { PageSubject } from "../../shared/readers/page-cache.ts";

/** What a page of readers is asked for by an address: what it shows, what it is kept as, and its route's pattern. */
export interface PageAddress {
  subject: PageSubject;
  name: string;
  route: string;
}

/** The addresses under which this process has lately answered with pages that it keeps. */
export interface PageAddresses {
  note(address: string, page: PageAddress): void;
  find(address: string): PageAddress | undefined;
}

const MOST_ADDRESSES = 10_000;

const LONGEST_ADDRESS = 256;

/** Opens the addresses; full, they are forgotten all at once and noted anew, each by its next request. */
export function openPageAddresses(): PageAddresses {
  const known = new Map<string, PageAddress>();
  return {
    note(address, page) {
      // What stands behind a question mark changes no page, and would let anybody fill the place.
      if (address.length > LONGEST_ADDRESS || address.includes("?") || known.has(address)) return;
      if (known.size >= MOST_ADDRESSES) known.clear();
      known.set(address, page);
    },
    find: (address) => known.get(address),
  };
}
