import { getOwnersAgent } from "../../shared/console.ts";
import { orderCreation, removeContent } from "../../shared/creation-orders.ts";
import { listShownFiles } from "../../shared/front-page.ts";
import {
  getOwnersFile,
  getOwnersWork,
  getRevisionId,
  listOwnersWorks,
  presentOwnersWork,
  previewFrontPage,
  previewRevision,
} from "../../shared/owner-works.ts";
import { frameList, readPageQuery } from "../../shared/pages-of-lists.ts";
import { CONTENT_TYPES } from "../../shared/public-files.ts";
import { toIso } from "../../shared/times.ts";
import { addConsoleRoute, type ConsoleAnswer, type ConsoleCall } from "../console-route.ts";
import { checkSure, frameOf } from "../console-views.ts";
import type { RouteGroup } from "../door.ts";
import { renderConsoleWorkPage } from "../pages/console-work-page.ts";
import { renderConsoleWorksPage } from "../pages/console-works-page.ts";
import { renderFrontPreview, renderWorkPreview } from "../pages/preview-page.ts";
import { sendFile } from "../send-file.ts";
import { toCreationView, toFrontView } from "../views.ts";

const WORK = "/console/works/:id";
const REVISION = `${WORK}/revisions/:number`;

/** Everything that an owner's agents have written, readable before it is published. */
export const addConsoleWorkRoutes: RouteGroup = (app, door) => {
  const { deps } = door;
  addConsoleRoute(app, door, { method: "GET", url: "/console/agents/:id/works", handle: listWorks });
  addConsoleRoute(app, door, { method: "GET", url: "/console/agents/:id/front-page", handle: showFrontPage });
  addConsoleRoute(app, door, {
    method: "GET",
    url: WORK,
    async handle(call) {
      const found = await getOwnersWork(deps, call.session.owner.id, call.params.id);
      const work = await presentOwnersWork(deps, found);
      return { page: renderConsoleWorkPage({ ...frameOf(call), agent: { id: found.agent.id }, work }) };
    },
  });
  addConsoleRoute(app, door, {
    method: "POST",
    url: `${WORK}/unpublish`,
    async handle({ session, params, actor }) {
      const { creation } = await getOwnersWork(deps, session.owner.id, params.id);
      await orderCreation(deps, actor, creation.id, "unpublish");
      return { goTo: `/console/works/${creation.id}` };
    },
  });
  addConsoleRoute(app, door, { method: "GET", url: REVISION, handle: showRevision });
  addConsoleRoute(app, door, {
    method: "POST",
    url: `${REVISION}/remove`,
    async handle({ session, params, actor, fields }) {
      const { creation } = await getOwnersWork(deps, session.owner.id, params.id);
      const revisionId = await getRevisionId(deps, creation, params.number);
      checkSure(fields);
      await removeContent(deps, actor, revisionId, "owner");
      return { goTo: `/console/works/${creation.id}` };
    },
  });
  addConsoleRoute(app, door, {
    method: "GET",
    url: `${REVISION}/files/:asset`,
    async handle({ session, params, reply }) {
      const found = await getOwnersWork(deps, session.owner.id, params.id);
      const file = await getOwnersFile(deps, found, params.number, params.asset);
      const about = { filename: file.filename, bytes: file.bytes, type: CONTENT_TYPES[file.format] };
      return { sent: await sendFile(reply, about, deps.files.get(file.asset_id)) };
    },
  });
};

async function listWorks(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { door, session, params, query } = call;
  const agent = await getOwnersAgent(door.deps, session.owner.id, params.id);
  const part = readPageQuery({ page: query.page }, 50);
  const { page, perPage } = part;
  const list = await listOwnersWorks(door.deps, agent, { limit: perPage, offset: (page - 1) * perPage });
  const { links } = frameList(`/console/agents/${agent.id}/works`, {}, part, list);
  const view = { ...frameOf(call), agent, works: list.items, total: list.total, links };
  return { page: renderConsoleWorksPage(view) };
}

async function showRevision({ door, session, params }: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = door;
  const found = await getOwnersWork(deps, session.owner.id, params.id);
  const shown = await previewRevision(deps, session, found, params.number);
  const { revision } = shown;
  const view = await toCreationView(door, shown);
  const workUrl = `/console/works/${found.creation.id}`;
  const stored = await listShownFiles(deps, revision.id);
  // Readers' addresses of files open only what is published; the owner has one that opens drafts.
  const files = view.files.map((file, index) => ({
    ...file,
    url: `${workUrl}/revisions/${revision.revision_number}/files/${stored[index]?.asset_id}`,
    rows_url: null,
    statsUrl: null,
  }));
  const about = {
    workUrl,
    number: revision.revision_number,
    live: revision.id === found.creation.live_revision_id,
    published: revision.published_at !== null,
    savedAt: toIso(revision.created_at),
  };
  return { page: renderWorkPreview({ ...view, files }, about), scripts: false };
}

async function showFrontPage({ door, session, params }: ConsoleCall): Promise<ConsoleAnswer> {
  const agent = await getOwnersAgent(door.deps, session.owner.id, params.id);
  const { row, live } = await previewFrontPage(door.deps, session, agent);
  const view = await toFrontView(door, row);
  const about = { agentUrl: `/console/agents/${agent.id}`, live };
  return { page: renderFrontPreview(view, about), scripts: false };
}
