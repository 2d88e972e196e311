import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { toAttachment } from "../../shared/assets/public-files.ts";
import type { Deps } from "../../shared/deps.ts";
import { SANDBOX } from "../plugins/security-headers.ts";
import type { Download } from "./downloads.ts";
import { PacedBody } from "./paced-body.ts";

/** The time limit for sending a file: the server's timeout cuts off an answer that is still being sent. */
export const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** The bytes of one read of a stored file: an unread download holds two. */
const PIECE_BYTES = 65_536;

/** Sends a stored file as a download, by its key in the file store. */
export async function sendStoredFile(
  { files }: Pick<Deps, "files">,
  download: Download,
  file: { key: string; filename: string; bytes: number; type: string },
): Promise<FastifyReply> {
  return await sendFile(download, file, files.scan(file.key, undefined, { pieceBytes: PIECE_BYTES }));
}

/**
 * Sends bytes as a download that no browser opens as a page; the size may be unknown. A piece of them needs to be valid
 * only until the next one is asked for. HEAD gets the same headers, and nothing is read for it.
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
    ...SANDBOX,
  });
  // The framework reads a stream to its end for HEAD, and sets the length of anything else itself.
  if (reply.request.method === "HEAD") return await reply.send(Readable.from([]));
  return await reply.send(new PacedBody(watch(bytes)));
}
