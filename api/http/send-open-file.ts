import type { FastifyReply, FastifyRequest } from "fastify";
import { CONTENT_TYPES, type getOpenFile } from "../../shared/assets/public-files.ts";
import { findKnownForm, listForms, toForm } from "./codings.ts";
import type { RouteContext } from "./context.ts";
import { readRange, refuseRange } from "./ranges.ts";
import { sendStoredFile } from "./send-file.ts";

type OpenFile = Awaited<ReturnType<typeof getOpenFile>>;

/**
 * Sends a published file: 304 to a client that has it, one range of it as it is, or the whole file, packed where the
 * client unpacks it and the file is of data.
 */
export async function sendOpenFile(
  { deps, downloads }: RouteContext,
  file: OpenFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { asset_id: key, filename, format, bytes } = file;
  const plain = toForm(null, file.content_sha256);
  const isPackable = format === "csv" || format === "json";
  const forms = isPackable ? listForms(request.headers, file.content_sha256) : [plain];
  reply.headers({ "accept-ranges": "bytes", ...(isPackable ? { vary: "accept-encoding" } : {}) });
  const known = findKnownForm(request.headers, forms);
  if (known !== null) return reply.header("etag", known.etag).status(304).send();
  const stored = { key, filename, bytes, type: CONTENT_TYPES[format] };
  // A range of a packed form would be of other bytes, and of HEAD there is no part.
  const takesPlain = request.method === "GET" && forms.some(({ coding }) => coding === null);
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
