import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { toAttachment } from "../../shared/assets/public-files.ts";
import type { Download } from "./downloads.ts";

/** The time limit for sending a file: the server's timeout cuts off an answer that is still being sent. */
export const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/**
 * Sends bytes as a download that no browser opens as a page; the size may be unknown. HEAD gets the same headers, and
 * nothing is read for it.
 */
export async function sendFile(
  { reply, watch }: Download,
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
  // The framework reads a stream to its end for HEAD, and sets the length of anything else itself.
  if (reply.request.method === "HEAD") return await reply.send(Readable.from([]));
  return await reply.send(Readable.from(watch(bytes), { objectMode: false }));
}
