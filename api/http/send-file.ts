import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { toAttachment } from "../../shared/assets/public-files.ts";

/** Longest that a file may take to be sent: a timeout of the server ends an answer that is still on its way. */
export const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** Sends bytes as a download that no browser will open as a page; what is read on demand may leave its size out. */
export async function sendFile(
  reply: FastifyReply,
  file: { filename: string; bytes?: number; type: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  reply.headers({
    "content-type": file.type,
    ...(file.bytes === undefined ? {} : { "content-length": String(file.bytes) }),
    "content-disposition": toAttachment(file.filename),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  });
  return await reply.send(Readable.from(bytes, { objectMode: false }));
}
