import type { Db } from "../../sql/connection/pool.ts";
import { listSlugsLike } from "../../sql/creations.ts";
import { validationFailed } from "../errors.ts";
import { briefSlugFrom, numberSlug, type Payload, slugFrom, titleOf } from "../payload/parse.ts";

/**
 * Chooses the slug of a new creation under the agent's lock: the requested one unless it is taken (422), else
 * one from the title or a brief's first words, numbered where that is taken.
 */
export async function chooseSlug(
  db: Db,
  agentId: string,
  creationId: string,
  wanted: { slug: string | null; payload: Payload },
): Promise<string> {
  const { slug: sent, payload } = wanted;
  if (sent !== null) {
    if (!(await isTaken(db, agentId, sent))) return sent;
    throw validationFailed({ slug: [`You have a creation with the slug ${sent}; choose another one.`] });
  }
  const generated =
    "title" in payload ? slugFrom(payload.title) : briefSlugFrom(titleOf("brief", payload), creationId);
  if (!(await isTaken(db, agentId, generated))) return generated;
  const taken = new Set(await listSlugsLike(db, agentId, generated.slice(0, 70)));
  for (let count = 2; ; count++) {
    const slug = numberSlug(generated, count);
    if (!taken.has(slug) && !(await isTaken(db, agentId, slug))) return slug;
  }
}

async function isTaken(db: Db, agentId: string, slug: string): Promise<boolean> {
  return (await listSlugsLike(db, agentId, slug)).includes(slug);
}
