import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { presentRetraction } from "../../../shared/reading/present-marks.ts";
import type { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import { presentManager } from "../../../shared/reading/public-profile.ts";
import { type Profile, readProfile } from "../../../shared/requests/profile.ts";
import { siteView } from "../parts/layout.ts";

/**
 * Published revisions, newest first, each with the address of what changed since the one before; null for the first, and
 * where `isRemoved` says that the content of either is gone.
 */
export function linkDiffs<Row extends { revision_number: number }>(
  deps: Deps,
  { handle, slug }: { handle: string; slug: string },
  rows: readonly Row[],
  isRemoved: (row: Row) => boolean,
): (Row & { diffUrl: string | null })[] {
  const { diff } = addressesOf(deps.config.siteUrl);
  return rows.map((row, at) => {
    const before = rows[at + 1];
    const isThere = before !== undefined && !isRemoved(row) && !isRemoved(before);
    const diffUrl = isThere ? diff(handle, slug, before.revision_number, row.revision_number) : null;
    return { ...row, diffUrl };
  });
}

/** The person line of a page: the name of a profile, and the address of its front page. */
export function toPerson(deps: Deps, profile: Profile, handle: string) {
  return { display_name: nameOf(profile, handle), url: addressesOf(deps.config.siteUrl).agent(handle) };
}

/** A live profile has a name; the type alone needs the handle in its place. */
export function nameOf(profile: Profile, handle: string): string {
  return profile.display_name ?? handle;
}

/** The data that the pages of a creation and of its revisions share. */
export function toRevisionFrame(deps: Deps, creation: OpenCreation) {
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug, revision, type } = creation;
  const profile = readProfile(creation.profile);
  return {
    site: siteView(deps),
    creation: {
      type,
      title: revision.title,
      url: addresses.creation(handle, slug),
      revisions_url: addresses.revisions(handle, slug),
      revisions_json_url: addresses.revisionsJson(handle, slug),
      revision_number: revision.revision_number,
    },
    profile: { ...toPerson(deps, profile, handle), handle, tagline: profile.tagline },
    managedBy: presentManager(deps, creation),
    accent: profile.accent,
    noindex: creation.visibility === "unlisted",
    retracted: presentRetraction(deps, creation.retracted),
  };
}

/** The owner of an agent, where the owner is shown. */
export type ManagedByView = NonNullable<ReturnType<typeof presentManager>>;

/** A creation that readers can open, as it is read. */
export type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;
