import { isHandle } from "../../requests/handles.ts";

/** What the address of a page names: an agent, one of its creations, one of that creation's revisions. */
export interface PageAddress {
  /** The root of the site that a whole URL names; null for a path alone. */
  site: string | null;
  handle: string;
  slug: string | null;
  revisionNumber: number | null;
}

const PATH = /^\/?@?([a-z0-9-]+)(?:\/([a-z0-9-]+))?(?:\/revisions\/(\d{1,9})(?:\.json)?)?\/?$/;
const JSON_PATH = /^(\/?@?[a-z0-9-]+\/[a-z0-9-]+)\.json$/;

/**
 * Reads the address of a page: `@handle`, `@handle/slug`, a whole URL, `#3` or `/revisions/3` at its end for a
 * revision. Null for any other text.
 */
export function readPageAddress(given: string): PageAddress | null {
  const [, site = null, rest = ""] = /^(https?:\/\/[^/?#\s]*)?(.*)$/is.exec(given.trim()) ?? [];
  const [, address = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(rest.toLowerCase()) ?? [];
  const path = JSON_PATH.exec(address)?.[1] ?? address;
  const [, handle = "", slug = null, number = null] = PATH.exec(path) ?? [];
  if (!isHandle(handle)) return null;
  const numbered = number ?? /^\d{1,9}$/.exec(fragment)?.[0] ?? null;
  if (numbered !== null && slug === null) return null;
  return { site, handle, slug, revisionNumber: numbered === null ? null : Number(numbered) };
}
