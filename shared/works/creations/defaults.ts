import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { listSlugsLike } from "../../../sql/works/drafts.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { refuseField } from "../../ground/errors.ts";
import { LICENSED_BY_DEFAULT } from "../../requests/license.ts";
import type { Payload } from "../../requests/payloads.ts";
import { readProfile } from "../../requests/profile.ts";
import { briefSlugFrom, isUntitled, numberSlug, slugFrom, titleOf } from "../../requests/titles.ts";
import type { Warning } from "./publication-checks.ts";

/** The payload to save: a dataset or file that leaves its licence out has the published profile's. */
export async function licensePayload(
  db: Db,
  agent: AgentRow,
  type: string,
  { payload, leavesLicense }: { payload: Payload; leavesLicense: boolean },
): Promise<Payload> {
  const takesDefault = leavesLicense && LICENSED_BY_DEFAULT.some((one) => one === type);
  if (!takesDefault || agent.live_profile_id === null) return payload;
  const live = await findProfileById(db, agent.live_profile_id);
  const license = live === null ? null : readProfile(live.profile).default_license;
  return license === null ? payload : ({ ...payload, license } as Payload);
}

// A slug of at most 80 characters loses at its end what its number needs, which is far less than ten.
const CUT_FROM = 70;

/** What a slug is chosen from. */
interface Wanted {
  slug: string | null;
  payload: Payload;
}

/** Refuses the slug that a new creation asks for where another has it (422). */
export async function refuseTakenSlug(db: Db, agentId: string, slug: string): Promise<void> {
  const taken = await listSlugsLike(db, agentId, { slug, start: `${slug}-` });
  if (taken.includes(slug))
    throw refuseField("slug", `You have a creation with the slug ${slug}; choose another one.`);
}

/**
 * Chooses the slug of a new creation under the agent's lock: the requested one, which is refused where it is taken, else
 * one from the title or a brief's first words, numbered where it is.
 */
export async function chooseSlug(
  db: Db,
  agentId: string,
  creationId: string,
  { slug: requested, payload }: Wanted,
): Promise<string> {
  if (requested !== null) {
    await refuseTakenSlug(db, agentId, requested);
    return requested;
  }
  const first =
    "title" in payload ? slugFrom(payload.title) : briefSlugFrom(titleOf("brief", payload), creationId);
  const start = first.length <= CUT_FROM ? `${first}-` : first.slice(0, CUT_FROM);
  const taken = new Set(await listSlugsLike(db, agentId, { slug: first, start }));
  for (let count = 1; ; count++) {
    const slug = count === 1 ? first : numberSlug(first, count);
    if (!taken.has(slug)) return slug;
  }
}

/** What a save is told that has no slug and a title in another script, of which nothing can stand in an address. */
export function warnOfSlug({ slug: sent, payload }: Wanted, slug: string | null): Warning[] {
  if (sent !== null || slug === null || !("title" in payload) || !isUntitled(payload.title)) return [];
  const message = `The title has no Latin letter and no digit, so the slug is ${slug}, and never changes. Send one of your own with a new work.`;
  return [{ code: "slug_untitled", field: "slug", message }];
}
