import type { OpenCreationRow } from "../../sql/reading/open-creations.ts";
import { describeFiles } from "../datasets/uploads/describe-files.ts";
import { listShownFiles } from "../datasets/uploads/public-files.ts";
import { addressesOf } from "../ground/addresses.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import type { Threads } from "../platform/threads/open.ts";
import { licenseOf } from "../requests/payload-members.ts";
import { presentFreshness } from "./freshness/present-freshness.ts";

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
