import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { toAttachment } from "../shared/public-files.ts";

/** Sends stored bytes as a download that no browser will open as a page. */
export async function sendFile(
  reply: FastifyReply,
  file: { filename: string; bytes: number; type: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  reply.headers({
    "content-type": file.type,
    "content-length": String(file.bytes),
    "content-disposition": toAttachment(file.filename),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  return await reply.send(Readable.from(bytes, { objectMode: false }));
}
