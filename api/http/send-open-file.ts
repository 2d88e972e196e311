import type { FastifyReply, FastifyRequest } from "fastify";
import { CONTENT_TYPES, type getOpenFile } from "../../shared/datasets/uploads/public-files.ts";
import { findKnownForm, listForms, toForm } from "./codings.ts";
import type { RouteContext } from "./context.ts";
import { readRange, refuseRange } from "./ranges.ts";
import { type StoredFile, sendStoredFile } from "./send-file.ts";

type OpenFile = Awaited<ReturnType<typeof getOpenFile>>;

/** Sends a published file: packed where the client unpacks it and the file is of data. */
export async function sendOpenFile(
  context: RouteContext,
  { asset_id: key, filename, format, bytes, content_sha256: sha256 }: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPackable = format === "csv" || format === "json";
  const sent = { key, filename, bytes, sha256, type: CONTENT_TYPES[format] };
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
