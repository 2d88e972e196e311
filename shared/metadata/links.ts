import type { Licence } from "../core/licences/licences.ts";

/** The Link header (RFC 8288) of a work's page and JSON; none where there is nothing to link to. */
export function linkHeaders(license: Licence | null): Record<string, string> {
  return license === null ? {} : { link: `<${license.url}>; rel="license"` };
}
