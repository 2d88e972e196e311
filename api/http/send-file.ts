import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { contentTypeOf, type getOpenFile, toAttachment } from "../../shared/datasets/uploads/public-files.ts";
import { httpError, type Refusal } from "../../shared/ground/errors.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { type Coding, findKnownForm, listForms, pack, toForm } from "./codings.ts";
import type { RouteContext } from "./context.ts";
import type { Download } from "./downloads.ts";
import { SANDBOX } from "./hooks/security-headers.ts";

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

type OpenFile = Awaited<ReturnType<typeof getOpenFile>>;

/** Sends a published file: packed where the client unpacks it and the file is of data. */
export async function sendOpenFile(
  context: RouteContext,
  file: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { asset_id: key, filename, format, bytes, content_sha256: sha256 } = file;
  const isPackable = format === "csv" || format === "json";
  const sent = { key, filename, bytes, sha256, type: contentTypeOf(file) };
  return await sendStoredForm(context, sent, request, reply, isPackable);
}

/** Sends a stored file to a reader: 304, one range of it as it is, or the whole file, packed if it may be. */
export async function sendStoredForm(
  { deps, downloads }: RouteContext,
  { sha256, ...stored }: StoredFile & { sha256: string },
  request: FastifyRequest,
  reply: FastifyReply,
  isPackable = false,
): Promise<FastifyReply> {
  const plain = toForm(null, sha256);
  const forms = isPackable ? listForms(request.headers, sha256) : [plain];
  reply.headers({ "accept-ranges": "bytes", ...(isPackable ? { vary: "accept-encoding" } : {}) });
  const known = findKnownForm(request.headers, forms);
  if (known !== null) return reply.header("etag", known.etag).status(304).send();
  // A range of a packed form would be of other bytes, and of HEAD there is no part.
  const takesPlain = request.method === "GET" && forms.some(({ coding }) => coding === null);
  const { bytes } = stored;
  const range = takesPlain ? readRange(request.headers, { etag: plain.etag, bytes }) : null;
  if (range === "none") {
    reply.header("content-range", `bytes */${bytes}`);
    throw refuseRange(bytes);
  }
  const download = await downloads.open(reply);
  if (range !== null) {
    reply.header("etag", plain.etag);
    return await sendStoredFile(deps, download, { ...stored, range });
  }
  const { coding, etag } = download.choose(forms);
  reply.header("etag", etag);
  return await sendStoredFile(deps, download, { ...stored, coding });
}

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

// Several ranges, other units and what is no range do not match: the whole file answers them (RFC 9110, section 14.2).
const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/** The range that a client asks of a file; null for the whole file, "none" where it holds no byte of it. */
export function readRange(
  { range, "if-range": ifRange }: IncomingHttpHeaders,
  { etag, bytes }: { etag: string; bytes: number },
): ByteRange | "none" | null {
  // A weak tag and a date never match: no answer has them.
  if (ifRange !== undefined && ifRange !== etag) return null;
  const asked = ONE_RANGE.exec(range ?? "");
  if (asked === null) return null;
  const [, first, last, suffix] = asked;
  const start = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const end = last === undefined || last === "" ? bytes - 1 : Number(last);
  if (end < start && last !== undefined && last !== "") return null;
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : "none";
}

/** 416: the range begins behind the file's last byte. */
export function refuseRange(bytes: number): Refusal {
  return httpError(
    416,
    `The file has ${bytes} bytes, and the range of the header Range holds none of them; ask for bytes=0-${bytes - 1} or a part of it.`,
  );
}
