import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { waitWithoutPlace } from "../../shared/platform/concurrency/places.ts";
import { addressTypeface, TYPEFACES } from "../../shared/text/theme/typefaces.ts";
import { listCodings } from "./codings.ts";

// A stylesheet of 25 KB leaves with 6 KB.
const PACKERS = {
  br: promisify<string, Buffer>(brotliCompress),
  gzip: promisify((text: string, done: (error: Error | null, packed: Buffer) => void) =>
    gzip(text, { level: 9 }, done),
  ),
} as const;
type Coding = keyof typeof PACKERS;

const TYPEFACES_FOLDER = join(import.meta.dirname, "../../shared/text/theme/typefaces");

/** Serves a text whose address holds its hash: cached for ever, and packed for clients that unpack. */
export function addImmutableText(
  app: FastifyInstance,
  { path, type, text }: { path: string; type: string; text: string },
): void {
  // Packed once, for the first who asks: all of them took 50 ms of each start of a process.
  const packed = new Map<Coding, Promise<Buffer>>();
  const pack = (coding: Coding): Promise<Buffer> => {
    const known = packed.get(coding) ?? PACKERS[coding](text);
    packed.set(coding, known);
    return known;
  };
  app.get(path, async (request, reply) => {
    reply.headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" });
    reply.type(`${type}; charset=utf-8`);
    const [coding = null] = listCodings(request.headers, ["br", "gzip"] as const);
    if (coding === null) return reply.send(text);
    return reply.header("content-encoding", coding).send(await waitWithoutPlace(() => pack(coding)));
  });
}

/** Serves the files of the text face under addresses that hold their hashes, cached for ever. */
export function addTypefaceRoutes(app: FastifyInstance): void {
  for (const face of Object.values(TYPEFACES)) {
    const bytes = readFileSync(join(TYPEFACES_FOLDER, face.file));
    app.get(addressTypeface(face), async (_request, reply) => {
      reply.header("cache-control", "public, max-age=31536000, immutable");
      return reply.type("font/woff2").send(bytes);
    });
  }
}
