import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { toAttachment } from "../../shared/datasets/uploads/public-files.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { type Coding, pack } from "./codings.ts";
import type { Download } from "./downloads.ts";
import { SANDBOX } from "./hooks/security-headers.ts";
import type { ByteRange } from "./ranges.ts";

/**
 * A body whose next piece is asked for once the connection has taken the one before. An ordinary pipe asks earlier: an
 * unread download then holds several pieces, and their memory cannot be used again.
 */
export class PacedBody extends Readable {
  readonly #pieces: AsyncIterable<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    super({ read: () => undefined });
    this.#pieces = pieces;
  }

  /** Writes all pieces to an answer and ends it; an error of the pieces destroys this body. */
  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    if (!isAnswer(destination)) throw new Error("a paced body goes into an answer");
    this.#write(destination).catch((error) => this.destroy(error));
    return destination;
  }

  async #write(answer: ServerResponse): Promise<void> {
    let goOn = () => {};
    // An answer whose reader left never says that it took the piece.
    answer.once("close", () => goOn());
    for await (const piece of this.#pieces) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        answer.write(piece, () => resolve());
        if (answer.destroyed) resolve();
      });
      if (this.destroyed || answer.destroyed) return;
    }
    this.push(null);
    this.resume();
    answer.end();
  }
}

function isAnswer(destination: NodeJS.WritableStream): destination is ServerResponse {
  return "setHeader" in destination && "destroyed" in destination;
}

/** The time limit for sending a file: the server's timeout cuts off an answer that is still being sent. */
export const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** The bytes of one read of a stored file: an unread download holds one. */
const PIECE_BYTES = 65_536;

/** A stored file by its key in the file store, and the part of it that is sent. */
export interface StoredFile extends Described {
  key: string;
  bytes: number;
  range?: ByteRange;
}

interface Described {
  filename: string;
  type: string;
  /** The bytes of the whole file, where they are known. */
  bytes?: number;
  /** How the bytes are packed on their way; a range never is. */
  coding?: Coding;
}

/** Sends a stored file as a download; of a range that part alone is read. */
export async function sendStoredFile(
  { files }: Pick<Deps, "files">,
  download: Download,
  { key, range, ...file }: StoredFile,
): Promise<FastifyReply> {
  const bytes = files.scan(key, range, { pieceBytes: PIECE_BYTES });
  if (range === undefined) return await sendFile(download, file, bytes);
  const { start, end } = range;
  const part = { "content-range": `bytes ${start}-${end}/${file.bytes}` };
  download.reply.status(206).headers(part);
  return await sendFile(download, { ...file, bytes: end - start + 1 }, bytes);
}

/**
 * Sends bytes as a download that no browser opens as a page; the size may be unknown. A piece of them needs to be valid
 * only until the next one is asked for. HEAD gets the same headers, and nothing is read for it.
 */
export async function sendFile(
  { reply, watch }: Download,
  { filename, type, bytes: size, coding = null }: Described,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  reply.headers({
    "content-type": type,
    ...(size === undefined || coding !== null ? {} : { "content-length": String(size) }),
    ...(coding === null ? {} : { "content-encoding": coding }),
    "content-disposition": toAttachment(filename),
    "x-content-type-options": "nosniff",
    ...SANDBOX,
  });
  // The framework reads a stream to its end for HEAD, and sets the length of anything else itself.
  if (reply.request.method === "HEAD") return await reply.send(Readable.from([]));
  return await reply.send(new PacedBody(pack(watch(bytes), coding)));
}
