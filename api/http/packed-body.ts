import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { etagOf } from "../../shared/ground/checksum.ts";
import { waitWithoutPlace } from "../../shared/platform/concurrency/places.ts";
import { findKnownForm, GZIP_LEVEL, listForms, toForm } from "./codings.ts";
import type { PublicAnswer } from "./page-cache/response.ts";

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
