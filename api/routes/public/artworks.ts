import { type ArtFormat, drawArtwork, findArtwork } from "../../../shared/datasets/drawings/artworks.ts";
import type { RouteGroup } from "../../http/context.ts";
import { SANDBOX } from "../../http/hooks/security-headers.ts";
import { isFresh } from "../../http/page-cache.ts";
import { allowOtherOrigins, allowPreflight } from "../../http/public-route.ts";

const TYPES = { svg: "image/svg+xml; charset=utf-8", png: "image/png" } as const;

// A card holds a title, and shared caches must not serve what was hidden or removed for longer than this.
const CACHE_CONTROL = "public, max-age=86400";

/** Avatars, covers and social cards by the hash of their recipe: what looks different has another address. */
export const addArtworkRoutes: RouteGroup = (app, context) => {
  for (const format of ["svg", "png"] as const satisfies ArtFormat[]) {
    const url = `/art/:hash.${format}`;
    allowPreflight(app, url);
    app.get(url, async (request, reply) => {
      allowOtherOrigins(reply);
      const { hash } = request.params as { hash: string };
      const recipe = await findArtwork(context.deps, hash);
      const etag = `"${hash}"`;
      reply.headers({
        "cache-control": CACHE_CONTROL,
        ...SANDBOX,
        etag,
      });
      if (isFresh(request.headers, { etag })) return reply.status(304).send();
      return reply.type(TYPES[format]).send(await drawArtwork(context, recipe, format));
    });
  }
};
