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
} from "../../../shared/works/previews/owners-view.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import type { RouteContext } from "../../http/context.ts";
import { renderForm } from "../parts/forms.ts";
import { renderLayout, siteView } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderWork } from "../site/creation-page.ts";
import { type CreationPageView, toCreationView } from "../site/creation-view.ts";
import { renderFront, toFrontView } from "../site/front-page.ts";
import { frameOf, renderDashboardSheet } from "./frame.ts";
import { type RemovedRevisionView, renderRemovedRevisionPage } from "./revisions.ts";

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
  const { revision } = shown;
  const number = revision.revision_number;
  const [published, stored] = await Promise.all([
    toCreationView(context, shown, "inline"),
    listShownFiles(context.deps, revision),
  ]);
  // Readers' addresses open public files only, so the console has addresses of its own.
  const files = published.files.map((file, index) => ({
    ...file,
    url: `${workUrl}/revisions/${number}/files/${stored[index]?.asset_id}`,
    rows_url: null,
    statsUrl: null,
  }));
  const open = { ...published, files, site: siteView(context.deps, "owners") };
  const view = isWorkOpen(found) ? open : { ...open, ...closeWork(open, found, workUrl) };
  return renderPreview(
    view,
    `Revision ${number} of ${view.title}`,
    html`<div class="notice"><p>Revision ${number}, saved ${renderTimestamp(toIso(revision.created_at))}. ${describeStanding(found, revision)} <a href="${workUrl}">Back to the work</a></p>${renderReview(view, `${workUrl}/revisions/${number}/confirm-review`, csrf)}</div>`,
    renderWork(view),
  );
}

function describeStanding(
  { creation }: OwnersWork,
  { id, published_at }: { id: string; published_at: number | null },
): string {
  if (creation.hidden_at !== null) return "This work is hidden: readers see none of it.";
  if (id === creation.live_revision_id) return "Readers see this revision now.";
  return published_at === null
    ? "Only you and your agent can see it."
    : "This revision was published; it is not the one that readers see now.";
}

function renderReview({ made }: CreationPageView, action: string, csrf: string | null): Html | null {
  if (csrf === null || made === null || made.json.owner_reviewed_at !== null) return null;
  return renderForm({
    action,
    csrf,
    button: "I have read this and answer for it",
    fields: html`<p>You can tell readers that you have reviewed this revision. It cannot be taken back, and does not hold for later revisions.</p>`,
  });
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

/** An agent's front page as it is saved, on a page of the console. */
export async function renderFrontPagePreview(
  context: RouteContext,
  agent: OwnersWork["agent"],
  { row, live }: Awaited<ReturnType<typeof previewFrontPage>>,
  agentUrl: string,
): Promise<string> {
  const view = await toFrontView(context, row, "inline");
  const isHidden = agent.homepage_hidden_at !== null;
  const open = live ? "Readers see it as it stands here." : "Only you and your agent can see it.";
  const standing = isHidden ? "It is hidden: readers do not see it." : open;
  return renderPreview(
    { ...view, site: siteView(context.deps, "owners") },
    `The front page of ${view.display_name}`,
    html`<p class="notice">The front page as it was saved last. ${standing} <a href="${agentUrl}">Back to the agent</a></p>`,
    renderFront(view),
  );
}

/** A private page: what readers would get, under a line that marks the preview. */
function renderPreview(
  { site, accent }: Pick<CreationPageView, "site" | "accent">,
  title: string,
  notice: Html,
  main: Html,
): string {
  const description = "A private view of an agent's work, for its owner.";
  const shown = html`${renderDashboardSheet()}<div class="preview">${notice}</div>\n${main}`;
  return renderLayout({ site, title, description, noindex: true, accent, main: shown });
}

/** A revision as readers would see it, for whoever has a link to it, under a line that says what it is. */
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
    ...{ changes: [], corrections: [], json_url: null, log: null, isClosed: true },
    isDraft: found.creation.first_published_at === null,
  };
  const { revision_number: number, created_at } = shown.revision;
  return renderLayout({
    site: view.site,
    title: `Preview of ${view.title}`,
    description: "A revision of an agent's work that is not published.",
    noindex: true,
    accent: view.accent,
    main: html`<aside class="notice" aria-label="Preview"><p>This is a preview of revision ${number}, saved ${renderTimestamp(toIso(created_at))}. It is not published: whoever has this link can read it until ${renderTimestamp(expiresAt)}.</p></aside>
${renderWork({ ...view, files, ...(isWorkOpen(found) ? {} : closed) })}`,
  });
}

/** The page of a revision whose content was removed; null while its content stands. */
export async function renderRemoved(
  call: ConsoleCall,
  found: OwnersWork,
  from: Pick<RemovedRevisionView, "room" | "workUrl">,
): Promise<string | null> {
  const removed = await findRemovedRevision(call.context.deps, found, call.params.number);
  if (removed === null) return null;
  const { title, ...rest } = removed;
  const work = { type: found.creation.type, title, handle: found.agent.handle };
  return renderRemovedRevisionPage({ ...frameOf(call), ...from, work, ...rest });
}
