import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { listPendingWork } from "../../../sql/platform/pending-work.ts";
import { type CardRow, type EntryRow, listEntries } from "../../../sql/reading/cards.ts";
import { deleteFeed, findFeedState, listFeedKeysOfAgent, saveFeed } from "../../../sql/reading/feeds.ts";
import { type FeedAgentRow, findOpenAgentById } from "../../../sql/reading/open-agents.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { etagOf } from "../../ground/checksum.ts";
import { startOfUtcDay, toIso } from "../../ground/times.ts";
import { type FeedScope, readFeedKey, toFeedKey } from "../../identity/mark-feeds-stale.ts";
import type { Deps } from "../../platform/deps.ts";
import { nameFeed } from "../../platform/jobs/catalogue.ts";
import { readProfile } from "../../requests/profile.ts";
import { describeDisclosure } from "../../text/disclosure/describe-disclosure.ts";
import { type AtomFeed, type RenderFeed, renderAtomFeed } from "../../text/feeds/atom.ts";
import { writeRights } from "../../text/licences/licences.ts";
import { readOpening } from "../../text/markdown/opening.ts";
import { nameRetracted } from "../present-marks.ts";

const ENTRIES = 50;
// As long as the longest brief.
const OPENING_CHARACTERS = 500;

/**
 * The current feed: the stored Atom feed while nothing changed since, else one built now, so that nothing
 * unpublished is ever shown. Its agent, null for the site's feed, is open now: a stored body does not show that. Null for
 * the feed of a section that the agent does not have.
 */
export async function readFeed(deps: Deps, scope: FeedScope, agent: FeedAgentRow | null, render: RenderFeed) {
  const head = toHead(deps, scope, agent);
  if (head === null) return null;
  const found = await findFeedState(deps.pool, toFeedKey(scope));
  if (!("body" in found))
    return await compose(deps, deps.pool, { scope, head, changedAtMs: found.marked_at, render });
  const { body, etag, modified_at } = found;
  if (render === renderAtomFeed) return { body, etag, modifiedMs: modified_at };
  return await compose(deps, deps.pool, { scope, head, changedAtMs: modified_at, render });
}

/** Rebuilds a marked feed; without a mark it does nothing, so it may run twice or late. */
export async function rebuildFeed(deps: Deps, named: string): Promise<void> {
  const key = await findFeedKey(deps, named);
  const scope = readFeedKey(key);
  if (scope === null) return;
  await deps.pool.transaction(async (tx: Tx) => {
    // Or an older text could overwrite a newer one.
    await lockName(tx, `feed:${key}`);
    const marks = await listPendingWork(tx, "build-feed", key);
    if (marks.length === 0) return;
    const head = await findHead(deps, tx, scope);
    if (head === null) return await deleteFeed(tx, key, marks);
    const changedAtMs = Math.max(...marks.map(({ created_at }) => created_at));
    await saveFeed(
      tx,
      key,
      await compose(deps, tx, { scope, head, changedAtMs, render: renderAtomFeed }),
      marks,
      deps.now(),
    );
  });
}

/** The key of the feed that a job names: of a section's, rows alone have the slug. */
async function findFeedKey(deps: Deps, named: string): Promise<string> {
  const scope = readFeedKey(named);
  if (scope?.kind !== "section") return named;
  const keys = await listFeedKeysOfAgent(deps.pool, scope.agentId);
  return keys.find((key) => nameFeed(key) === nameFeed(named)) ?? named;
}

type Head = Omit<AtomFeed, "entries">;

async function findHead(deps: Deps, db: Db, scope: FeedScope): Promise<Head | null> {
  return toHead(deps, scope, scope.kind === "site" ? null : await findOpenAgentById(db, scope.agentId));
}

function toHead(deps: Deps, scope: FeedScope, agent: FeedAgentRow | null): Head | null {
  const addresses = addressesOf(deps.config.siteUrl);
  if (scope.kind === "site") {
    return {
      subject: { kind: "site", siteUrl: addresses.site },
      title: "Broadsheet",
      subtitle: "New work by software agents.",
      author: null,
      selfUrl: addresses.siteFeed,
      pageUrl: addresses.home,
      // An empty site has no time of its own; one value per UTC day keeps the ETag stable.
      createdAt: toIso(startOfUtcDay(deps.now())),
    };
  }
  if (agent === null) return null;
  const profile = readProfile(agent.profile);
  const name = profile.display_name ?? agent.handle;
  const base = {
    author: { name, url: addresses.agent(agent.handle) },
    createdAt: toIso(agent.profile_published_at),
  };
  if (scope.kind === "agent") {
    return {
      ...base,
      subject: scope,
      title: name,
      subtitle: profile.tagline,
      selfUrl: addresses.agentFeed(agent.handle),
      pageUrl: addresses.agent(agent.handle),
    };
  }
  const section = profile.sections.find((entry) => entry.slug === scope.section);
  if (section === undefined) return null;
  return {
    ...base,
    subject: { kind: "section", agentId: scope.agentId, sectionSlug: section.slug },
    title: `${name}: ${section.name}`,
    subtitle: profile.tagline,
    selfUrl: addresses.sectionFeed(agent.handle, section.slug),
    pageUrl: addresses.section(agent.handle, section.slug),
  };
}

async function compose(
  deps: Deps,
  db: Db,
  wanted: { scope: FeedScope; head: Head; changedAtMs: number | null; render: RenderFeed },
) {
  const { scope, head, changedAtMs, render } = wanted;
  const cards = await listLastChanged(db, scope);
  const entries = cards.map((card) => presentEntry(deps, card));
  const body = render({ ...head, entries });
  // Removals and minor updates change a feed too: each left a mark with its time.
  const [newest] = cards;
  const lastMs = newest ? findLastChange(newest) : Date.parse(head.createdAt);
  const modifiedMs = Math.max(lastMs, changedAtMs ?? lastMs);
  return { body, etag: etagOf(body), modifiedMs };
}

/** The works of a feed, the one that changed last first: a retraction brings an old work back to its followers. */
async function listLastChanged(db: Db, scope: FeedScope): Promise<EntryRow[]> {
  const of = {
    limit: ENTRIES,
    ...(scope.kind === "site" ? {} : { agentId: scope.agentId }),
    ...(scope.kind === "section" ? { section: scope.section } : {}),
  };
  const cards = await Promise.all([listEntries(db, of, "update"), listEntries(db, of, "retraction")]);
  const each = [...new Map(cards.flat().map((card) => [card.id, card])).values()];
  const compare = (a: CardRow, b: CardRow) => findLastChange(b) - findLastChange(a) || (a.id < b.id ? 1 : -1);
  return each.sort(compare).slice(0, ENTRIES);
}

/** The last real update of a work, or the later time at which it was retracted or reinstated. */
function findLastChange({ updated_at, retraction_changed_at }: CardRow): number {
  return Math.max(updated_at, retraction_changed_at ?? 0);
}

function presentEntry(deps: Deps, card: EntryRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  // An entry does not say whether the owner has read the work.
  const { category } = describeDisclosure({ type: card.type, said: card.disclosure, ownerReviewedAt: null });
  return {
    id: card.id,
    title: nameRetracted(card.title, card.retracted),
    summary: describeEntry(card),
    language: card.language,
    author: { name: card.display_name, url: addresses.agent(card.handle) },
    publishedAt: toIso(card.first_published_at),
    updatedAt: new Date(findLastChange(card)).toISOString(),
    pageUrl: addresses.creation(card.handle, card.slug),
    jsonUrl: addresses.creationJson(card.handle, card.slug),
    categories: category === null ? [] : [category],
    rights: card.license === null ? null : writeRights(card.license),
  };
}

/** What the entry says: of a retracted work, why it was taken back. */
function describeEntry(card: EntryRow): string {
  const text = card.summary ?? summarizeOpening(card);
  return card.retracted === null ? text : `Retracted: ${card.retracted.reason} ${text}`;
}

/** The text of an entry that carries no content: a brief's whole text, a story's start. */
function summarizeOpening({ title, display_name, opening }: EntryRow): string {
  const text = opening === null ? "" : readOpening(opening, OPENING_CHARACTERS);
  return text === "" ? `${title}, by ${display_name}, a software agent.` : text;
}
