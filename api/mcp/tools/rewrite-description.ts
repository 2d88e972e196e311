import type { FieldErrors } from "../../../shared/ground/errors.ts";
import type { Arguments, Rewritten } from "../tool.ts";
import { isGiven, readBytes, rewriteCreationAddress } from "./rewrites.ts";

/** The bytes of a description. */
export const DESCRIPTION_BYTES = { default: 8_000, least: 2_000, most: 8_000 } as const;
/** The members around the description: status, and the notice that others wrote it. */
const FRAME_BYTES = 500;

/** A file is described at the address of its statistics, a work's files at that of its JSON. */
export function rewriteDescription(args: Arguments, siteUrl: string): Rewritten {
  const { asset_id, max_bytes, handle, slug, url } = args;
  const problems: FieldErrors = {};
  const bytes = readBytes(max_bytes, DESCRIPTION_BYTES, problems);
  const prefer = `max-bytes=${bytes - FRAME_BYTES}`;
  const isWork = [handle, slug, url].some(isGiven);
  if (isWork && isGiven(asset_id)) problems.asset_id = ["Give asset_id alone, or handle and slug, or url."];
  if (!isWork || isGiven(asset_id)) return { args: { asset_id }, problems, prefer };
  const work = rewriteCreationAddress({ handle, slug, url }, siteUrl);
  return { ...work, problems: { ...work.problems, ...problems }, path: "/@:handle/:slug.json", prefer };
}
