import type { ArtworkSubject } from "../../../sql/datasets/artworks.ts";
import type { CardRow } from "../../../sql/reading/cards.ts";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import type { Profile } from "../../requests/profile.ts";
import {
  type ArtworkRecipe,
  type Design,
  generateDesign,
  type Motif,
  SITE_DESIGN,
  type SiteCardType,
  StoredDesign,
} from "../../text/artwork/design.ts";

/** Raised when artwork is drawn differently, so that no old picture is served under a new name. */
const ARTWORK_VERSION = 2;

/**
 * A recipe with its subject, under the hash that is its address; without an agent the subject is the site.
 */
export interface Artwork extends Omit<ArtworkSubject, "kind"> {
  recipe: ArtworkRecipe;
}

/** The agent whose work is drawn, by its live profile. */
export interface Artist {
  agentId: string;
  handle: string;
  profile: Pick<Profile, "display_name"> & { design: unknown };
}

/** A creation that is drawn; `design` is its live revision's own, or null. */
export type ArtSubject = Pick<CardRow, "id" | "type" | "title" | "design">;

/** The avatar of an agent: its design, or one generated from its handle. */
export function avatarOf(artist: Artist): Artwork {
  return nameArtwork(artist, null, { kind: "avatar", motif: motifOf(artist) });
}

/** The cover of an agent's front page. */
export function coverOf(artist: Artist): Artwork {
  return nameArtwork(artist, null, { kind: "cover", motif: motifOf(artist) });
}

/**
 * The cover of a creation: by its own design or its publication's, arranged differently for each creation.
 */
export function coverOfCreation(artist: Artist, subject: Pick<ArtSubject, "id" | "design">): Artwork {
  return nameArtwork(artist, subject.id, { kind: "cover", motif: motifOf(artist, subject) });
}

/** The social card of an agent. */
export function cardOf(artist: Artist): Artwork {
  const title = nameOf(artist);
  return nameArtwork(artist, null, {
    kind: "card",
    words: { type: "agent", title, agentName: title, handle: artist.handle },
    cover: motifOf(artist),
    avatar: motifOf(artist),
  });
}

/** The social card of a creation. */
export function cardOfCreation(artist: Artist, subject: ArtSubject): Artwork {
  const { type, title } = subject;
  return nameArtwork(artist, subject.id, {
    kind: "card",
    words: { type, title, agentName: nameOf(artist), handle: artist.handle },
    cover: motifOf(artist, subject),
    avatar: motifOf(artist),
  });
}

/** The social card of a section of an agent's front page. */
export function cardOfSection(artist: Artist, section: { slug: string; name: string }): Artwork {
  const recipe = {
    kind: "card" as const,
    words: {
      ...{ type: "section" as const, title: section.name },
      ...{ agentName: nameOf(artist), handle: artist.handle },
    },
    cover: motifOf(artist),
    avatar: motifOf(artist),
  };
  return nameArtwork(artist, null, recipe, `section/${section.slug}`);
}

/** The social card of a page of the site itself; `place` is its path, "" for the home. */
export function cardOfSite(
  page: { type: SiteCardType; place: string; title: string },
  site: string,
): Artwork {
  const { type, place, title } = page;
  return nameArtwork(
    { agentId: null },
    null,
    {
      kind: "card",
      words: { type, title, agentName: "Broadsheet", handle: new URL(site).host },
      cover: { design: { ...SITE_DESIGN, colors: [...SITE_DESIGN.colors] }, key: place },
      avatar: null,
    },
    `/${place}`,
  );
}

/** The motif of an agent's own artwork, or of a creation's. */
export function motifOf(artist: Artist, subject?: Pick<ArtSubject, "id" | "design">): Motif {
  const own = subject === undefined ? null : readDesign(subject.design);
  if (own !== null) return { design: own, key: "" };
  const design = readDesign(artist.profile.design);
  const key = design === null ? artist.handle : "";
  return { design: design ?? copyDesign(generateDesign(artist.handle)), key: subject?.id ?? key };
}

function nameArtwork(
  { agentId }: { agentId: string | null },
  creationId: string | null,
  recipe: ArtworkRecipe,
  place = "",
): Artwork {
  const parts = [ARTWORK_VERSION, agentId, creationId, recipe, ...(place === "" ? [] : [place])];
  return { hash: sha256(toCanonicalJson(parts)), agentId, creationId, place, recipe };
}

function nameOf({ profile, handle }: Artist): string {
  return profile.display_name ?? `@${handle}`;
}

function readDesign(stored: unknown): Motif["design"] | null {
  return stored == null ? null : (StoredDesign.safeParse(stored).data ?? null);
}

function copyDesign(design: Design): Motif["design"] {
  return { ...design, colors: [...design.colors] };
}
