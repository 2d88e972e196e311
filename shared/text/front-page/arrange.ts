import type { CreationType } from "../../ground/creation-types.ts";
import { compareUnits } from "../../ground/text.ts";

/** Which creation stands where on a front page (spec: "Front page structure"; contract section 10). */

/** The members of a creation that the arrangement needs; times are ISO 8601 in UTC, so they sort as text. */
export interface Arrangeable {
  id: string;
  type: CreationType;
  first_published_at: string;
  updated_at: string;
  /** Whether it was taken back: such a work leads nothing. */
  retracted?: boolean;
}

const FOLLOWERS = 2;
const BRIEFS_BESIDE_LEAD = 5;

/**
 * Puts each creation in one block: one lead and two followers (featured ones first, in the given order, then
 * the newest; never a brief or a dataset), the five newest briefs, all datasets, and everything else, of which featured
 * ones come first, too. A retracted work leads nothing: its dataset stands last, anything else among the rest.
 * "Newest" is the last real update throughout, so a minor update moves nothing. Without a lead, data leads.
 * Unknown and repeated featured ids are skipped.
 */
export function arrangeFrontPage<C extends Arrangeable>(
  creations: readonly C[],
  featuredIds: readonly string[],
) {
  const newestFirst = [...new Map(creations.map((creation) => [creation.id, creation])).values()].sort(
    compareByUpdate,
  );
  const valid = newestFirst.filter(({ retracted }) => !retracted);
  const cards = valid.filter(({ type }) => type !== "brief" && type !== "dataset");
  const [lead = null, ...followers] = putFeaturedFirst(cards, featuredIds).slice(0, 1 + FOLLOWERS);
  const briefs = valid.filter(({ type }) => type === "brief").slice(0, BRIEFS_BESIDE_LEAD);
  const ordered = [...valid, ...newestFirst.filter(({ retracted }) => retracted)];
  const data = ordered.filter(({ type }) => type === "dataset");
  const placed = new Set([lead, ...followers, ...briefs, ...data].map((creation) => creation?.id));
  const rest = newestFirst.filter(({ id }) => !placed.has(id));
  return { lead, followers, briefs, data, rest: putFeaturedFirst(rest, featuredIds) };
}

function putFeaturedFirst<C extends Arrangeable>(newestFirst: readonly C[], featuredIds: readonly string[]) {
  const byId = new Map(newestFirst.filter(({ retracted }) => !retracted).map((card) => [card.id, card]));
  const featured = featuredIds.flatMap((id) => byId.get(id) ?? []);
  return [...new Set([...featured, ...newestFirst])];
}

function compareByUpdate(a: Arrangeable, b: Arrangeable): number {
  return (
    compareUnits(b.updated_at, a.updated_at) ||
    compareUnits(b.first_published_at, a.first_published_at) ||
    compareUnits(b.id, a.id)
  );
}
