import type { Artist, ArtSubject, Artwork } from "../../../shared/datasets/drawings/artwork-recipes.ts";
import {
  avatarOf,
  cardOf,
  cardOfCreation,
  cardOfSection,
  cardOfSite,
  coverOf,
  coverOfCreation,
  motifOf,
} from "../../../shared/datasets/drawings/artwork-recipes.ts";
import { keepArtworks, listArtists } from "../../../shared/datasets/drawings/artworks.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { listFrontCards } from "../../../shared/reading/front-page-cards.ts";
import type { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import type { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { readProfile } from "../../../shared/requests/stored-profile.ts";
import { drawAvatar, drawCover, drawInlineAvatar } from "../../../shared/text/artwork/draw-artwork.ts";
import type { SiteCardType } from "../../../shared/text/artwork/recipe.ts";
import { arrangeFrontPage } from "../../../shared/text/front-page/arrange.ts";
import type { CardImageView, CreationArtView, FrontArtView } from "../parts/artwork.ts";
import type { CardView } from "../site/front-blocks.ts";

/**
 * Where a page finds its artwork. A page for readers publishes it under its hash. A private page carries it in itself
 * and keeps nothing: what is not published has no address, and replaces no picture of what is.
 */
export type ArtSource = "published" | "inline";

type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;
type OpenAgent = Awaited<ReturnType<typeof getFrontPage>>;
type Card = Awaited<ReturnType<typeof listFrontCards>>[number];

/** The pictures of a creation's page. */
interface CreationArt {
  artist: Artist;
  /** Null on a private page. */
  card: Artwork | null;
  /** Null for a brief, which is too short for one. */
  cover: Artwork | null;
  /** Those that the page names by their addresses: none on a private page. */
  named: Artwork[];
}

/** Cover and social card of a creation. */
export function designCreationArt(creation: OpenCreation, source: ArtSource): CreationArt {
  const { artist, subject } = toSubject(creation);
  const card = source === "published" ? cardOfCreation(artist, subject) : null;
  const cover = subject.type === "brief" ? null : coverOfCreation(artist, subject);
  const named = source === "published" ? [card, cover].filter((artwork) => artwork !== null) : [];
  return { artist, card, cover, named };
}

/** Cover, social card and byline avatar of a creation. */
export function showCreationArt(
  deps: Deps,
  { artist, card, cover }: CreationArt,
  source: ArtSource,
): CreationArtView {
  return {
    cardUrl: card === null ? null : `${deps.config.siteUrl}${pathOf(card, "png")}`,
    coverUrl: cover === null ? null : linkPicture(cover, source),
    // Drawn into the page: a reader of one story asks for three things, the page, its sheet and its cover.
    avatarHtml: drawInlineAvatar(motifOf(artist)),
  };
}

/** The social card of a creation, for the pages of its revisions. */
export async function showCreationCard(deps: Deps, creation: OpenCreation): Promise<CardImageView> {
  const { artist, subject } = toSubject(creation);
  const card = cardOfCreation(artist, subject);
  await keepArtworks(deps, [card]);
  return toCardImage(deps, card, `${subject.title}, by ${artist.profile.display_name ?? artist.handle}`);
}

/** The social card of a section of an agent's front page. */
export async function showSectionCard(
  deps: Deps,
  agent: OpenAgent,
  section: { slug: string; name: string },
): Promise<CardImageView> {
  const profile = readProfile(agent.profile);
  const card = cardOfSection({ agentId: agent.id, handle: agent.handle, profile }, section);
  await keepArtworks(deps, [card]);
  return toCardImage(deps, card, `${section.name}, by ${profile.display_name ?? agent.handle}`);
}

// The site's own cards never leave the table, so each process looks for each of them once.
const known = new WeakMap<Deps["config"], Set<string>>();

/** The social card of a page of the site itself; `place` is its path without the slash before it. */
export async function showSiteCard(
  deps: Deps,
  page: { type: SiteCardType; place: string; title: string },
): Promise<CardImageView> {
  const card = cardOfSite(page, deps.config.siteUrl);
  const kept = known.get(deps.config) ?? new Set();
  if (!kept.has(card.hash)) await keepArtworks(deps, [card]);
  known.set(deps.config, kept.add(card.hash));
  return toCardImage(deps, card, `Broadsheet: ${page.title}`);
}

/** Cover, avatar and social card of an agent. */
export async function showAgentArt(deps: Deps, agent: OpenAgent, source: ArtSource): Promise<FrontArtView> {
  const artist: Artist = { agentId: agent.id, handle: agent.handle, profile: readProfile(agent.profile) };
  const [avatar, cover, card] = [avatarOf(artist), coverOf(artist), cardOf(artist)];
  if (source === "published") await keepArtworks(deps, [avatar, cover, card]);
  return {
    cardUrl: source === "published" ? `${deps.config.siteUrl}${pathOf(card, "png")}` : null,
    coverUrl: linkPicture(cover, source),
    avatarUrl: linkPicture(avatar, source),
  };
}

/**
 * Puts covers on the cards that lead a front page; the others stand without. Under an agent's own cover only those of
 * a design of their own: the others would repeat it.
 */
export async function addCovers(
  deps: Deps,
  views: CardView[],
  rows: readonly Card[],
  { source, ...page }: { featuredIds: string[]; isOwnPage: boolean; source: ArtSource },
): Promise<CardView[]> {
  const covers = designCovers(views, rows, page);
  if (source === "published") await keepArtworks(deps, [...covers.values()]);
  return hangCovers(views, covers, source);
}

/** The covers of the cards that lead a front page, by the cards' ids. */
export function designCovers(
  views: CardView[],
  rows: readonly Card[],
  { featuredIds, isOwnPage }: { featuredIds: string[]; isOwnPage: boolean },
): Map<string, Artwork> {
  const { lead, followers } = arrangeFrontPage(views, featuredIds);
  const leading = new Set([lead, ...followers].map((card) => card?.id));
  return new Map(
    rows
      .filter(({ id, design }) => leading.has(id) && !(isOwnPage && design == null))
      .map((row) => [row.id, coverOfCreation(toArtist(row), row)]),
  );
}

/** Puts covers on cards. */
export function hangCovers(
  views: CardView[],
  covers: ReadonlyMap<string, Artwork>,
  source: ArtSource,
): CardView[] {
  return views.map((view) => {
    const cover = covers.get(view.id);
    return cover === undefined ? view : { ...view, coverUrl: linkPicture(cover, source) };
  });
}

/** Puts avatars beside the agents of a list, whose designs are read. */
export async function addAvatars<View extends { id: string }>(
  deps: Deps,
  agents: readonly View[],
): Promise<(View & { avatarUrl: string | null })[]> {
  const artists = await listArtists(
    deps,
    agents.map(({ id }) => id),
  );
  const avatars = new Map(artists.map((artist) => [artist.agentId, avatarOf(artist)]));
  await keepArtworks(deps, [...avatars.values()]);
  return hangAvatars(agents, avatars);
}

/** The same for agents whose designs came with them. */
export async function paintAvatars<View extends DesignedAgent>(
  deps: Deps,
  agents: readonly View[],
): Promise<(View & { avatarUrl: string | null })[]> {
  const avatars = designAvatars(agents);
  await keepArtworks(deps, [...avatars.values()]);
  return hangAvatars(agents, avatars);
}

/** An agent with what its avatar is designed by. */
interface DesignedAgent {
  id: string;
  handle: string;
  display_name: string | null;
  design: unknown;
}

/** The avatars of agents by their ids. */
export function designAvatars(agents: readonly DesignedAgent[]): Map<string, Artwork> {
  return new Map(
    agents.map(({ id, handle, display_name, design }) => [
      id,
      avatarOf({ agentId: id, handle, profile: { display_name, design } }),
    ]),
  );
}

/** Puts avatars beside agents. */
export function hangAvatars<View extends { id: string }>(
  agents: readonly View[],
  avatars: ReadonlyMap<string, Artwork>,
): (View & { avatarUrl: string | null })[] {
  return agents.map((agent) => {
    const avatar = avatars.get(agent.id);
    return { ...agent, avatarUrl: avatar === undefined ? null : pathOf(avatar, "svg") };
  });
}

function toSubject({ id, type, revision, ...creation }: OpenCreation): {
  artist: Artist;
  subject: ArtSubject;
} {
  const profile = readProfile(creation.profile);
  return {
    artist: { agentId: creation.agent_id, handle: creation.handle, profile },
    subject: { id, type, title: revision.title, design: revision.payload.design },
  };
}

function toArtist(row: Card): Artist {
  const profile = { display_name: row.display_name, design: row.publication_design };
  return { agentId: row.agent_id, handle: row.handle, profile };
}

function toCardImage(deps: Deps, card: { hash: string }, alt: string): CardImageView {
  return { url: `${deps.config.siteUrl}${pathOf(card, "png")}`, alt };
}

/** The address of an avatar or a cover for an `img`: its path, or the whole picture. */
function linkPicture(artwork: Artwork, source: ArtSource): string {
  if (source === "published") return pathOf(artwork, "svg");
  const { recipe } = artwork;
  if (recipe.kind === "card") throw new Error("a card is no picture of a page");
  const svg = recipe.kind === "avatar" ? drawAvatar(recipe.motif) : drawCover(recipe.motif);
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

function pathOf({ hash }: { hash: string }, format: "svg" | "png"): string {
  return `/art/${hash}.${format}`;
}
