import { addressesOf } from "../../shared/addresses.ts";
import { listShownFiles, type ShownFiles } from "../../shared/assets/public-files.ts";
import { showFiles } from "../../shared/assets/statistics.ts";
import type { Deps } from "../../shared/deps.ts";
import { renderBody } from "../../shared/drawings/render-body.ts";
import { readProfile } from "../../shared/payload/stored-profile.ts";
import { showBoundData } from "../../shared/readers/checked-figures.ts";
import { presentPublicCreation } from "../../shared/readers/public-creation.ts";
import { presentManager } from "../../shared/readers/public-profile.ts";
import type { RenderContext } from "../../shared/render-context.ts";
import { toIsoOrNull } from "../../shared/times.ts";
import type { CreationPageView } from "../pages/site/creation-view.ts";
import { type ArtSource, showCreationArt } from "./art-views.ts";
import { linkDiffs } from "./diff-links.ts";
import { nameOf, toPerson } from "./people.ts";
import { siteView } from "./site-view.ts";

type OpenCreation = Parameters<typeof presentPublicCreation>[1];

/**
 * The view of a creation's page: its public JSON with the data that only the page shows. A private page has its artwork
 * inline; `shown` spares a second reading of the files.
 */
export async function toCreationView(
  context: RenderContext,
  creation: OpenCreation,
  { source, shown }: { source: ArtSource; shown?: ShownFiles },
): Promise<CreationPageView> {
  const { deps } = context;
  const listed = shown ?? listShownFiles(deps, creation.revision.id);
  const [data, files, art, bound] = await Promise.all([
    presentPublicCreation(deps, creation, listed),
    showFiles(context, creation.revision.id, listed),
    showCreationArt(deps, creation, source),
    showBoundData(deps, creation.revision.id, creation.revision.payload),
  ]);
  const profile = readProfile(creation.profile);
  const { payload } = creation.revision;
  const addresses = addressesOf(deps.config.siteUrl);
  // What is not published has no files.
  const chartsAt =
    source === "published" ? addresses.charts(creation.handle, creation.slug, null) : undefined;
  return {
    ...data,
    ...toRevisionFrame(deps, creation),
    title: data.title,
    changes:
      source === "published"
        ? linkDiffs(deps, creation, data.changes, (change) => change.content_removed)
        : data.changes,
    agent: { ...data.agent, display_name: nameOf(profile, creation.handle) },
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    bodyHtml:
      data.body_markdown === null
        ? null
        : await renderBody(context, data.body_markdown, { chartsAt, ...bound }),
    destinationLabel: typeof payload.destination_label === "string" ? payload.destination_label : null,
    files: files.map((file, at) => ({
      ...file,
      tablePageUrl:
        source === "published" && file.rows_url !== null && file.bytes <= deps.config.limits.queryBytes
          ? addressesOf(deps.config.siteUrl).tablePage(creation.handle, creation.slug, at + 1)
          : null,
    })),
    showPreview: payload.show_preview !== false,
    lastSeenAt: toIsoOrNull(creation.last_seen_at),
    reportUrl: addresses.report(creation.handle, creation.slug),
    art,
  };
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
  };
}
