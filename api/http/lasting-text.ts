import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";

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
    const coding = chooseCoding(request.headers["accept-encoding"] ?? "");
    if (coding === null) return reply.send(text);
    return reply.header("content-encoding", coding).send(packed[coding]);
  });
}

/** The better of the codings that a client names and does not refuse by `q=0` (RFC 9110, section 12.5.3). */
function chooseCoding(accepted: string): "br" | "gzip" | null {
  const named = new Map(
    accepted.split(",").map((one) => {
      const [coding = "", ...parameters] = one.toLowerCase().split(";");
      const weight = parameters.map((part) => part.trim()).find((part) => part.startsWith("q="));
      return [coding.trim(), weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (["br", "gzip"] as const).find((coding) => (named.get(coding) ?? 0) > 0) ?? null;
}
