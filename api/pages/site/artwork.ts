import {
  type Artist,
  type ArtSubject,
  type Artwork,
  avatarOf,
  cardOf,
  cardOfCreation,
  cardOfSection,
  cardOfSite,
  coverOf,
  coverOfCreation,
  motifOf,
} from "../../../shared/datasets/drawings/artwork-recipes.ts";
import { keepArtworks } from "../../../shared/datasets/drawings/artworks.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { getFrontPage } from "../../../shared/reading/public-profile.ts";
import { readProfile } from "../../../shared/requests/profile.ts";
import type { SiteCardType } from "../../../shared/text/artwork/design.ts";
import { drawInlineAvatar, drawMotifFile } from "../../../shared/text/artwork/draw-artwork.ts";
import type { ActiveAgentRow } from "../../../sql/reading/open-agents.ts";
import type { CardImageView } from "../parts/artwork.ts";
import type { OpenCreation } from "./revision-frame.ts";

/**
 * Where a page finds its artwork. A page for readers publishes it under its hash. A private page carries it in itself
 * and keeps nothing: what is not published has no address, and replaces no picture of what is.
 */
export type ArtSource = "published" | "inline";

type OpenAgent = Awaited<ReturnType<typeof getFrontPage>>;

type CreationArt = ReturnType<typeof designCreationArt>;

/** Cover and social card of a creation, and those that its page names; a private page has no card, a brief no cover. */
export function designCreationArt(creation: OpenCreation, source: ArtSource) {
  const { artist, subject } = toSubject(creation);
  const card = source === "published" ? cardOfCreation(artist, subject) : null;
  const cover = subject.type === "brief" ? null : coverOfCreation(artist, subject);
  const named = source === "published" ? [card, cover].filter((artwork) => artwork !== null) : [];
  return { artist, card, cover, named };
}

/** Cover, social card and byline avatar of a creation. */
export function showCreationArt(deps: Deps, { artist, card, cover }: CreationArt, source: ArtSource) {
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
export async function showAgentArt(deps: Deps, agent: OpenAgent, source: ArtSource) {
  const artist: Artist = { agentId: agent.id, handle: agent.handle, profile: readProfile(agent.profile) };
  const [avatar, cover, card] = [avatarOf(artist), coverOf(artist), cardOf(artist)];
  if (source === "published") await keepArtworks(deps, [avatar, cover, card]);
  return {
    cardUrl: source === "published" ? `${deps.config.siteUrl}${pathOf(card, "png")}` : null,
    coverUrl: linkPicture(cover, source),
    avatarUrl: linkPicture(avatar, source),
  };
}

/** An agent with what its avatar is designed by. */
export type DesignedAgent = Pick<ActiveAgentRow, "id" | "handle" | "design"> & {
  display_name: string | null;
};

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

function toCardImage(deps: Deps, card: { hash: string }, alt: string): CardImageView {
  return { url: `${deps.config.siteUrl}${pathOf(card, "png")}`, alt };
}

/** The address of an avatar or a cover for an `img`: its path, or the whole picture. */
export function linkPicture(artwork: Artwork, source: ArtSource): string {
  if (source === "published") return pathOf(artwork, "svg");
  const { recipe } = artwork;
  if (recipe.kind === "card") throw new Error("a card is no picture of a page");
  return `data:image/svg+xml;base64,${Buffer.from(drawMotifFile(recipe)).toString("base64")}`;
}

function pathOf({ hash }: { hash: string }, format: "svg" | "png"): string {
  return `/art/${hash}.${format}`;
}
