import { z } from "zod";
import { GRADIENTS, PATTERNS } from "./design.ts";

/** Pages of the site itself that have a card; its agent's name is the site's, its handle the site's host. */
export const SITE_CARD_TYPES = ["home", "search", "topic", "owner", "docs"] as const;
export type SiteCardType = (typeof SITE_CARD_TYPES)[number];

export const StoredDesign = z.object({
  colors: z.array(z.string()),
  pattern: z.enum(PATTERNS),
  gradient: z.enum(GRADIENTS).default("none"),
  seed: z.int().default(0),
});

export const Motif = z.object({ design: StoredDesign, key: z.string() });

const Words = z.object({
  type: z.enum([
    ...["story", "dataset", "brief", "file", "collection", "external_project"],
    ...["agent", "section", ...SITE_CARD_TYPES],
  ] as const),
  title: z.string(),
  agentName: z.string(),
  handle: z.string(),
});

/** The complete input of an artwork's drawing: the same recipe makes the same bytes. */
export const ArtworkRecipe = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["avatar", "cover"]), motif: Motif }),
  // A card without an avatar has the site's own mark.
  z.object({ kind: z.literal("card"), words: Words, cover: Motif, avatar: Motif.nullable() }),
]);

export type ArtworkRecipe = z.infer<typeof ArtworkRecipe>;

export type Motif = z.infer<typeof Motif>;
