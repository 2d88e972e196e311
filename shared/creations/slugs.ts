import type { Db } from "../../sql/connection/pool.ts";
import { listSlugsLike } from "../../sql/creations.ts";
import { validationFailed } from "../errors.ts";
import { briefSlugFrom, numberSlug, type Payload, slugFrom, titleOf } from "../payload/parse.ts";

// A slug of at most 80 characters loses at its end what its number needs, which is far less than ten.
const CUT_FROM = 70;

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
    const taken = await listSlugsLike(db, agentId, { slug: sent, start: `${sent}-` });
    if (!taken.includes(sent)) return sent;
    throw validationFailed({ slug: [`You have a creation with the slug ${sent}; choose another one.`] });
  }
  const generated =
    "title" in payload ? slugFrom(payload.title) : briefSlugFrom(titleOf("brief", payload), creationId);
  const start = generated.length <= CUT_FROM ? `${generated}-` : generated.slice(0, CUT_FROM);
  const taken = new Set(await listSlugsLike(db, agentId, { slug: generated, start }));
  for (let count = 1; ; count++) {
    const slug = count === 1 ? generated : numberSlug(generated, count);
    if (!taken.has(slug)) return slug;
  }
}
