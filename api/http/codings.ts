import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { constants, createGzip, createZstdCompress, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { etagOf } from "../../shared/ground/checksum.ts";
import { waitWithoutPlace } from "../../shared/platform/concurrency/places.ts";
import { transcode } from "../../shared/platform/files/transcode.ts";
import { isFresh, type PublicAnswer } from "./page-cache.ts";

/** How an answer's bytes are packed on their way; null sends them as they are. */
export type Coding = "zstd" | "gzip" | null;

/** A form of an answer: its coding, and its entity tag in quotes. */
export interface Form {
  coding: Coding;
  etag: string;
}

/** A form's output: little of it waits for a reader who takes nothing. */
const OUTPUT_BYTES = 16_384;
/**
 * The window that a packer searches, and what it remembers of it: at their usual sizes zstd takes 4 MB for each reader.
 */
const ZSTD = {
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_windowLog]: 17,
  [constants.ZSTD_c_hashLog]: 15,
  [constants.ZSTD_c_chainLog]: 15,
};
/** The level that packs a CSV as well as the sixth, nearly, in half of its time. */
export const GZIP_LEVEL = 4;

/** The codings that a client takes, the preferred first, then as they are given; null, plain bytes, last. */
export function listCodings<Name extends string>(
  asked: IncomingHttpHeaders,
  codings: readonly Name[],
): (Name | null)[] {
  const preferred = [...codings, "identity"];
  const negotiator: Encodings = new Negotiator({ headers: asked });
  const taken = negotiator.encodings(preferred, { preferred });
  return taken.map((name) => codings.find((coding) => coding === name) ?? null);
}

/** Its types lack the second argument. */
interface Encodings {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** The forms that a client takes of an answer, the one that it prefers first; the entity tag comes without quotes. */
export function listForms(
  asked: IncomingHttpHeaders,
  etag: string,
  codings: readonly NonNullable<Coding>[] = ["zstd", "gzip"],
): Form[] {
  const forms = listCodings(asked, codings).map((coding) => toForm(coding, etag));
  // Whoever refuses every form gets the file as it is (RFC 9110, section 12.4.1).
  return forms.length === 0 ? [toForm(null, etag)] : forms;
}

/** A form of an answer, by its entity tag without quotes. */
export function toForm(coding: Coding, etag: string): Form {
  return { coding, etag: coding === null ? `"${etag}"` : `"${etag}-${coding}"` };
}

/** The form that a client has already, of those that it takes. */
export function findKnownForm(asked: IncomingHttpHeaders, forms: readonly Form[]): Form | null {
  return forms.find(({ etag }) => isFresh(asked, { etag })) ?? null;
}

/** Packs bytes as they are asked for. */
export function pack(bytes: AsyncIterable<Uint8Array>, coding: Coding): AsyncIterable<Uint8Array> {
  const room = { chunkSize: OUTPUT_BYTES, highWaterMark: OUTPUT_BYTES };
  if (coding === "gzip") return transcode(bytes, createGzip({ ...room, level: GZIP_LEVEL }));
  if (coding === "zstd") return transcode(bytes, createZstdCompress({ ...room, params: ZSTD }));
  return bytes;
}

const packInThread = promisify(gzip);

/** The body of an answer in the form that a client has or prefers, packed by gzip or as it is, with what says which. */
export async function packBody(
  body: Buffer,
  asked: IncomingHttpHeaders,
): Promise<Pick<PublicAnswer, "body" | "etag" | "headers">> {
  const tag = etagOf(body);
  const forms = listForms(asked, tag, ["gzip"]);
  const { coding, etag } = findKnownForm(asked, forms) ?? forms[0] ?? toForm(null, tag);
  const form = { etag: etag.slice(1, -1), headers: { vary: "accept-encoding" } };
  if (coding === null) return { ...form, body };
  const packed = await waitWithoutPlace(() => packInThread(body, { level: GZIP_LEVEL }));
  return { ...form, body: packed, headers: { ...form.headers, "content-encoding": coding } };
}
