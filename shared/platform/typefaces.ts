import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { addressTypeface, TYPEFACES } from "../text/theme/typefaces.ts";

const FOLDER = join(import.meta.dirname, "..", "text", "theme", "typefaces");

/** Serves the files of the text face under addresses that hold their hashes, cached for ever. */
export function addTypefaceRoutes(app: FastifyInstance): void {
  for (const face of Object.values(TYPEFACES)) {
    const bytes = readFileSync(join(FOLDER, face.file));
    app.get(addressTypeface(face), async (_request, reply) => {
      reply.header("cache-control", "public, max-age=31536000, immutable");
      return reply.type("font/woff2").send(bytes);
    });
  }
}
