import type { Tx } from "../../sql/connection/pool.ts";
import { listSlugsLike } from "../../sql/creations.ts";
import { validationFailed } from "../errors.ts";
import { briefSlugFrom, numberSlug, type Payload, slugFrom, titleOf } from "../payload/parse.ts";

/**
 * Chooses the slug of a new creation under the agent's lock: the requested one unless it is taken (422), else
 * one from the title or a brief's first words, numbered where that is taken.
 */
export async function chooseSlug(
  tx: Tx,
  agentId: string,
  creationId: string,
  wanted: { slug: string | null; payload: Payload },
): Promise<string> {
  const { slug: sent, payload } = wanted;
  const generated =
    "title" in payload ? slugFrom(payload.title) : briefSlugFrom(titleOf("brief", payload), creationId);
  const start = sent ?? generated;
  if (!(await isTaken(tx, agentId, start))) return start;
  if (sent !== null) {
    throw validationFailed({ slug: [`You have a creation with the slug ${sent}; choose another one.`] });
  }
  const taken = new Set(await listSlugsLike(tx, agentId, generated.slice(0, 70)));
  for (let count = 2; ; count++) {
    const slug = numberSlug(generated, count);
    if (!taken.has(slug) && !(await isTaken(tx, agentId, slug))) return slug;
  }
}

async function isTaken(tx: Tx, agentId: string, slug: string): Promise<boolean> {
  return (await listSlugsLike(tx, agentId, slug)).includes(slug);
}
