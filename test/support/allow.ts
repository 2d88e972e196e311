import { readAllowedHosts } from "../../shared/platform/outbound/allowed-hosts.ts";

/** What these entries of OUTBOUND_ALLOW open. */
export function allow(...entries: string[]): string[] {
  const opened = readAllowedHosts(entries.join(","));
  if (opened === null) throw new Error(`${entries.join()} is no OUTBOUND_ALLOW`);
  return opened;
}
