import type { Licence } from "../core/licences/licences.ts";
import { writeLinkHeader } from "../core/metadata/links.ts";

/** The Link header (RFC 8288) of a work's JSON and of its revisions' pages; none where there is nothing to link to. */
export function linkHeaders(license: Licence | null, successorUrl: string | null): Record<string, string> {
  const links = [
    ...(license === null ? [] : [{ rel: "license", href: license.url }]),
    ...(successorUrl === null ? [] : [{ rel: "successor-version", href: successorUrl }]),
  ];
  return links.length === 0 ? {} : { link: writeLinkHeader(links) };
}
