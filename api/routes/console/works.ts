import { findSuccessor } from "../../../shared/care/administration/resolve.ts";
import { contentTypeOf } from "../../../shared/datasets/uploads/public-files.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { presentDecisions } from "../../../shared/identity/audit/decisions.ts";
import { getOwnersAgent } from "../../../shared/identity/owners/dashboard.ts";
import { getReadsOfWork, lastDays } from "../../../shared/reading/view-counts/present-reads.ts";
import { confirmReview } from "../../../shared/works/creations/confirm.ts";
import { reinstateForOwner, retractForOwner } from "../../../shared/works/creations/retract.ts";
import {
  cancelOwnersSchedule,
  removeContent,
  runCreationCommand,
} from "../../../shared/works/creations/take-down.ts";
import {
  getOwnersWork,
  listOwnersWorks,
  type OwnersWork,
  presentOwnersWork,
} from "../../../shared/works/present-to-owner.ts";
import {
  getOwnersFile,
  getRevisionId,
  previewFrontPage,
  previewRevision,
} from "../../../shared/works/previews/owners-view.ts";
import { endPreviewsOfWork, listPreviewsOfWork } from "../../../shared/works/previews/preview-links.ts";
import { type ConsoleAnswer, type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readListPage } from "../../http/query.ts";
import { sendStoredFile } from "../../http/send-file.ts";
import { frameOf } from "../../pages/console/frame.ts";
import {
  renderFrontPagePreview,
  renderRemoved,
  renderRevisionPreview,
} from "../../pages/console/preview-page.ts";
import { toReadsView } from "../../pages/console/reads-page.ts";
import { renderConsoleWorkPage } from "../../pages/console/work-page.ts";
import { renderConsoleWorksPage } from "../../pages/console/works-page.ts";
import { checkSure } from "../../pages/parts/forms.ts";

const WORK = "/console/works/:id";
const REVISION = `${WORK}/revisions/:number`;

/** Everything that an owner's agents have written, readable before it is published. */
export const addConsoleWorkRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post } = openConsole(app, context);
  /** A form of a work's page, which is then shown again. */
  const act = (url: string, doIt: (call: ConsoleCall, found: OwnersWork) => Promise<unknown>) =>
    post(url, async (call) => {
      const found = await getOwnersWork(deps, call.session.owner.id, call.params.id);
      await doIt(call, found);
      return { goTo: `/console/works/${found.creation.id}` };
    });

  get("/console/agents/:id/works", listWorks);
  get("/console/agents/:id/front-page", showFrontPage);
  get(WORK, showWork);
  act(`${WORK}/unpublish`, ({ actor }, { creation }) =>
    runCreationCommand(deps, actor, creation.id, "unpublish"),
  );
  act(`${WORK}/retract`, async ({ actor, fields }, { creation }) => {
    const superseded_by = await findSuccessor(deps, fields.superseded_by ?? "");
    await retractForOwner(deps, actor, creation, { reason: fields.reason ?? "", superseded_by });
  });
  act(`${WORK}/reinstate`, ({ actor, fields }, { creation }) =>
    reinstateForOwner(deps, actor, creation, { reason: fields.reason ?? "" }),
  );
  // If the schedule came due first, the next page says so.
  act(`${WORK}/schedule/cancel`, ({ actor }, { creation }) => cancelOwnersSchedule(deps, actor, creation));
  for (const url of [`${WORK}/previews/end`, `${WORK}/previews/:preview/end`]) {
    act(url, ({ params, actor }, found) => endPreviewsOfWork(deps, actor, found, params.preview ?? null));
  }
  get(REVISION, showRevision);
  act(`${REVISION}/remove`, async ({ params, actor, fields }, { creation }) => {
    const revisionId = await getRevisionId(deps, creation, params.number);
    checkSure(fields);
    await removeContent(deps, actor, revisionId, "owner");
  });
  post(`${REVISION}/confirm-review`, async ({ session, params, actor }) => {
    const { creation } = await getOwnersWork(deps, session.owner.id, params.id);
    await confirmReview(deps, actor, await getRevisionId(deps, creation, params.number));
    return { goTo: `/console/works/${creation.id}/revisions/${params.number}` };
  });
  get(`${REVISION}/files/:asset`, async (call) => {
    const { session, params } = call;
    return await sendOwnersFile(call, await getOwnersWork(deps, session.owner.id, params.id));
  });
};

/** A file of a revision of a work. */
export async function sendOwnersFile({ context, params, reply }: ConsoleCall, found: OwnersWork) {
  const file = await getOwnersFile(context.deps, found, params.number, params.asset);
  const { asset_id: key, filename, bytes } = file;
  const sent = { key, filename, bytes, type: contentTypeOf(file) };
  return { sent: await sendStoredFile(context.deps, await context.downloads.open(reply), sent) };
}

async function showWork(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = call.context;
  const found = await getOwnersWork(deps, call.session.owner.id, call.params.id);
  const work = await presentOwnersWork(deps, found);
  const removed = work.revisions.filter((revision) => revision.content_removed_at !== null);
  const subjects = [found.creation.id, ...removed.map((revision) => revision.id)];
  const decisions = await presentDecisions(deps, subjects);
  const reads = await showReads(call, found);
  const previews = await listPreviewsOfWork(deps, found.creation.id);
  const view = {
    ...frameOf(call),
    agent: { id: found.agent.id },
    work: { ...work, decisions, reads, previews },
  };
  return { page: renderConsoleWorkPage(view) };
}

async function listWorks(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, session, params, query } = call;
  const agent = await getOwnersAgent(context.deps, session.owner.id, params.id);
  const part = readListPage(query, 50);
  const { page, perPage } = part;
  const list = await listOwnersWorks(context.deps, agent, { limit: perPage, offset: (page - 1) * perPage });
  const { links } = frameList(`/console/agents/${agent.id}/works`, {}, part, list);
  const view = { ...frameOf(call), agent, works: list.items, total: list.total, links };
  return { page: renderConsoleWorksPage(view) };
}

/** The reads of a work; null where it was never published, so that nobody could read it. */
async function showReads({ context: { deps } }: ConsoleCall, { creation }: OwnersWork) {
  if (creation.first_published_at === null) return null;
  return toReadsView(await getReadsOfWork(deps, creation.id, lastDays(deps.now())));
}

async function showRevision(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, session, params } = call;
  const found = await getOwnersWork(context.deps, session.owner.id, params.id);
  const from = { room: "Agents", workUrl: `/console/works/${found.creation.id}` } as const;
  const removed = await renderRemoved(call, found, from);
  if (removed !== null) return { page: removed };
  const shown = await previewRevision(context.deps, session, found, params.number);
  const about = { workUrl: from.workUrl, csrf: session.csrf };
  return { page: await renderRevisionPreview(context, found, shown, about), scripts: false };
}

async function showFrontPage({ context, session, params }: ConsoleCall): Promise<ConsoleAnswer> {
  const agent = await getOwnersAgent(context.deps, session.owner.id, params.id);
  const found = await previewFrontPage(context.deps, session, agent);
  const page = await renderFrontPagePreview(context, agent, found, `/console/agents/${agent.id}`);
  return { page, scripts: false };
}
