import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";

/** Where a published revision stands in the transparency log; null until it is in. */
export function presentLog(
  { config }: Pick<Deps, "config">,
  { handle, slug }: { handle: string; slug: string },
  { log_index, revision_number }: { log_index: number | null; revision_number: number },
): { index: number; proof_url: string } | null {
  if (log_index === null) return null;
  return { index: log_index, proof_url: addressesOf(config.siteUrl).proof(handle, slug, revision_number) };
}
