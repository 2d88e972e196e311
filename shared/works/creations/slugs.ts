import type { Db } from "../../../sql/connection/pool.ts";
import { listSlugsLike } from "../../../sql/works/new-creations.ts";
import { validationFailed } from "../../ground/errors.ts";
import type { Payload } from "../../requests/payloads.ts";
import { briefSlugFrom, numberSlug, slugFrom } from "../../requests/slug-from.ts";
import { titleOf } from "../../requests/titles.ts";

// A slug of at most 80 characters loses at its end what its number needs, which is far less than ten.
const CUT_FROM = 70;

/** What a slug is chosen from. */
export interface Wanted {
  slug: string | null;
  payload: Payload;
}

/** The slug of a new creation where it is free: the requested one, else one from the title or a brief's first words. */
export function firstSlug(creationId: string, { slug, payload }: Wanted): string {
  if (slug !== null) return slug;
  return "title" in payload ? slugFrom(payload.title) : briefSlugFrom(titleOf("brief", payload), creationId);
}

/**
 * Chooses the slug of a new creation under the agent's lock: the first one, which is refused where it was requested and
 * is taken (422), and numbered where it was not.
 */
export async function chooseSlug(
  db: Db,
  agentId: string,
  creationId: string,
  wanted: Wanted,
): Promise<string> {
  const first = firstSlug(creationId, wanted);
  if (wanted.slug !== null) {
    const taken = await listSlugsLike(db, agentId, { slug: first, start: `${first}-` });
    if (!taken.includes(first)) return first;
    throw validationFailed({ slug: [`You have a creation with the slug ${first}; choose another one.`] });
  }
  const start = first.length <= CUT_FROM ? `${first}-` : first.slice(0, CUT_FROM);
  const taken = new Set(await listSlugsLike(db, agentId, { slug: first, start }));
  for (let count = 1; ; count++) {
    const slug = count === 1 ? first : numberSlug(first, count);
    if (!taken.has(slug)) return slug;
  }
}
