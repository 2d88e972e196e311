import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { listCodings } from "./codings.ts";

/** A text whose address holds its hash. */
export interface LastingText {
  path: string;
  type: string;
  text: string;
}

/** Serves a text that never changes at its address: cached for ever, and packed for clients that unpack. */
export function addLastingText(app: FastifyInstance, { path, type, text }: LastingText): void {
  // Packed once, at the start: a stylesheet of 25 KB leaves with 6 KB.
  const packed = { br: brotliCompressSync(text), gzip: gzipSync(text, { level: 9 }) };
  app.get(path, async (request, reply) => {
    reply.headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" });
    reply.type(`${type}; charset=utf-8`);
    const [coding = null] = listCodings(request.headers, ["br", "gzip"] as const);
    if (coding === null) return reply.send(text);
    return reply.header("content-encoding", coding).send(packed[coding]);
  });
}
