import type { Licence } from "../../text/licences/licences.ts";
import { type Link, writeLinkHeader } from "../../text/metadata/links.ts";

/** The Link header (RFC 8288) of a work's JSON, or of a page with more links; none where there is nothing to link to. */
export function linkHeaders(license: Licence | null, more: readonly Link[] = []): Record<string, string> {
  const links = [...(license === null ? [] : [{ rel: "license", href: license.url }]), ...more];
  return links.length === 0 ? {} : { link: writeLinkHeader(links) };
}

/** The link to the work that takes the place of a retracted one; none where no such address is given. */
export function linkSuccessor(url: string | null): Link[] {
  return url === null ? [] : [{ rel: "successor-version", href: url }];
}
