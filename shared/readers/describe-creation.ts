import type { OpenCreationRow } from "../../sql/readers/open-creations.ts";
import { addressesOf } from "../addresses.ts";
import { describeFiles } from "../assets/describe-files.ts";
import { listShownFiles } from "../assets/public-files.ts";
import type { Deps } from "../deps.ts";
import { presentFreshness } from "../freshness/present-freshness.ts";
import { licenseOf } from "../payload/payload-members.ts";
import type { Threads } from "../threads/open.ts";
import { toIso } from "../times.ts";

/** Describes the files of an open creation within a number of bytes, as JSON text. */
export async function describeCreation(
  deps: Deps,
  threads: Threads,
  creation: OpenCreationRow,
  mostBytes: number,
): Promise<string> {
  const { id, type, handle, slug, revision } = creation;
  const { title, revision_number, payload } = revision;
  const url = addressesOf(deps.config.siteUrl).creation(handle, slug);
  const facts = {
    ...{ id, type, title, url, revision_number, updated_at: toIso(creation.updated_at) },
    license: licenseOf(payload),
    freshness: presentFreshness(payload, creation, deps.now()),
  };
  return await describeFiles(deps, threads, facts, await listShownFiles(deps, revision.id), mostBytes);
}
