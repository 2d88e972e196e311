import { listShownFiles } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { toIso } from "../../../shared/ground/times.ts";
import type { OwnersWork } from "../../../shared/works/present-to-owner.ts";
import type { OpenedPreview } from "../../../shared/works/previews/open-preview.ts";
import {
  findRemovedRevision,
  isWorkOpen,
  type previewFrontPage,
  type previewRevision,
} from "../../../shared/works/previews/present-to-owner.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import type { RouteContext } from "../../http/context.ts";
import { renderFrontPreview, renderWorkPreview } from "../console/preview-page.ts";
import { type RemovedRevisionView, renderRemovedRevisionPage } from "../console/removed-revision-page.ts";
import type { CreationPageView } from "../site/creation-view.ts";
import { renderLinkedPreviewPage } from "../site/linked-preview-page.ts";
import { frameOf } from "./console-views.ts";
import { toCreationView } from "./creation-view.ts";
import { toFrontView } from "./front-view.ts";
import { siteView } from "./site-view.ts";

/**
 * A revision as readers would see it, on a page of the console; `workUrl` is the page that leads to it, and `csrf` is set
 * for its owner, who may confirm to have read it.
 */
export async function renderRevisionPreview(
  context: RouteContext,
  found: OwnersWork,
  shown: Awaited<ReturnType<typeof previewRevision>>,
  { workUrl, csrf }: { workUrl: string; csrf: string | null },
): Promise<string> {
  const { creation } = found;
  const { revision } = shown;
  const [view, stored] = await Promise.all([
    toCreationView(context, shown, "inline"),
    listShownFiles(context.deps, revision.id),
  ]);
  // Readers' addresses open public files only, so the console has addresses of its own.
  const files = view.files.map((file, index) => ({
    ...file,
    url: `${workUrl}/revisions/${revision.revision_number}/files/${stored[index]?.asset_id}`,
    rows_url: null,
    statsUrl: null,
  }));
  const about = {
    workUrl,
    number: revision.revision_number,
    live: revision.id === creation.live_revision_id,
    published: revision.published_at !== null,
    hidden: creation.hidden_at !== null,
    savedAt: toIso(revision.created_at),
    csrf,
  };
  const open = { ...view, files, site: siteView(context.deps, "owners") };
  return renderWorkPreview(isWorkOpen(found) ? open : { ...open, ...closeWork(view, found, workUrl) }, about);
}

/** A revision as readers would see it, for whoever has a link to it. */
export async function renderLinkedPreview(
  context: RouteContext,
  { found, shown, expiresAt }: Exclude<OpenedPreview, { goTo: string }>,
  secret: string,
): Promise<string> {
  const view = await toCreationView(context, shown, "inline");
  const { previewFile } = addressesOf(context.deps.config.siteUrl);
  const files = view.files.map((file, at) => ({
    ...file,
    ...{ url: previewFile(secret, at + 1), rows_url: null, statsUrl: null },
  }));
  const closed = {
    ...{ changes: [], json_url: null, log: null, isClosed: true },
    isDraft: found.creation.first_published_at === null,
  };
  const { revision_number: number, created_at } = shown.revision;
  const about = { number, savedAt: toIso(created_at), expiresAt };
  return renderLinkedPreviewPage({ ...view, files, ...(isWorkOpen(found) ? {} : closed) }, about);
}

/** Takes out links that no reader can open: no JSON; revisions lead to the console. */
function closeWork(view: CreationPageView, { creation }: OwnersWork, workUrl: string) {
  const changes = view.changes.map((change) => ({
    ...change,
    url: `${workUrl}/revisions/${change.revision_number}`,
  }));
  return {
    changes,
    json_url: null,
    log: null,
    revisions_url: workUrl,
    isDraft: creation.first_published_at === null,
  };
}

/** An agent's front page, on a page of the console. */
export async function renderFrontPagePreview(
  context: RouteContext,
  agent: OwnersWork["agent"],
  { row, live }: Awaited<ReturnType<typeof previewFrontPage>>,
  agentUrl: string,
): Promise<string> {
  const view = await toFrontView(context, row, "inline");
  const about = { agentUrl, live, hidden: agent.homepage_hidden_at !== null };
  return renderFrontPreview({ ...view, site: siteView(context.deps, "owners") }, about);
}

/** The page of a revision whose content was removed; null while its content stands. */
export async function renderRemoved(
  call: ConsoleCall,
  found: OwnersWork,
  from: Pick<RemovedRevisionView, "room" | "workUrl">,
): Promise<string | null> {
  const { deps } = call.context;
  const removed = await findRemovedRevision(deps, found, call.params.number);
  if (removed === null) return null;
  const { creation, agent } = found;
  const work = { type: creation.type, title: removed.title, handle: agent.handle };
  const { revision, decisions } = removed;
  return renderRemovedRevisionPage({ ...frameOf(call), ...from, work, revision, decisions });
}
