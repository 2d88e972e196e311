import { isHandle } from "../../../shared/requests/ids.ts";
import { isCreationSlug, isSectionSlug } from "../../../shared/requests/slugs.ts";
import type { PageSubject } from "../../../sql/reading/page-versions.ts";

/** The creation of an address; null where no creation can have it. */
export function creationOf({ handle = "", slug = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) && isCreationSlug(slug) ? { kind: "creation", handle, slug } : null;
}

/** The agent of an address; null where no agent can have it. */
export function agentOf({ handle = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) ? { kind: "agent", handle } : null;
}

/** The feed of an address: the site's, an agent's or a section's; null where there can be none. */
export function feedOf({ handle, slug }: Record<string, string>): PageSubject | null {
  if (handle === undefined) return { kind: "feed" };
  if (!isHandle(handle)) return null;
  if (slug === undefined) return { kind: "feed", handle };
  return isSectionSlug(slug) ? { kind: "feed", handle, section: slug } : null;
}

/** The name that a response is cached under: its route, parameters and variant, so that spellings of an address share it. */
export function nameResponse(route: string, params: Record<string, string>): string {
  let name = route;
  for (const key in params) name += `\n${params[key]}`;
  return name;
}
