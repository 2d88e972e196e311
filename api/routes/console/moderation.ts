import { eraseForModerator, ruleOnAgent, ruleOnCreation } from "../../../shared/care/moderation/decide.ts";
import { findSubjects, nameAgents } from "../../../shared/care/moderation/find-subjects.ts";
import {
  getModeratedAgent,
  getModeratedWork,
  listClosed,
  listQueue,
  presentModeratedAgent,
  presentModeratedWork,
  readFrontPage,
  readPublished,
} from "../../../shared/care/moderation/queue.ts";
import { readReason } from "../../../shared/care/moderation/reason.ts";
import { CONTENT_TYPES } from "../../../shared/datasets/uploads/public-files.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import { getOwnersFile } from "../../../shared/works/previews/present-to-owner.ts";
import {
  addConsoleRoute,
  type ConsoleAnswer,
  type ConsoleCall,
  type ConsoleRoute,
} from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readListPage } from "../../http/query.ts";
import { sendStoredFile } from "../../http/send-file.ts";
import { renderModeratedAgentPage } from "../../pages/console/moderated-agent-page.ts";
import type { DecisionFault } from "../../pages/console/moderated-parts.ts";
import { type KeptFileView, renderModeratedWorkPage } from "../../pages/console/moderated-work-page.ts";
import { renderConsoleModerationPage } from "../../pages/console/moderation-page.ts";
import { checkSure, frameOf, toFault } from "../../pages/views/console-views.ts";
import {
  renderFrontPagePreview,
  renderRemoved,
  renderRevisionPreview,
} from "../../pages/views/preview-views.ts";

const QUEUE = "/console/moderation";
const AGENT = `${QUEUE}/agents/:id`;
const WORK = `${QUEUE}/creations/:id`;
const REVISION = `${WORK}/revisions/:number`;
const QUEUE_PAGE = 50;

/** The moderators' pages and decisions; everybody else gets 404 at every address here. */
export const addConsoleModerationRoutes: RouteGroup = (app, context) => {
  const add = (method: ConsoleRoute["method"], url: string, handle: ConsoleRoute["handle"]) =>
    addConsoleRoute(app, context, { method, url, moderators: true, handle });
  add("GET", QUEUE, showQueue);
  add("GET", AGENT, async (call) => ({ page: await renderAgent(call, null) }));
  add("POST", `${AGENT}/decide`, decideOnAgent);
  add("GET", `${AGENT}/front-page`, showFrontPage);
  add("GET", WORK, async (call) => ({ page: await renderWork(call, null) }));
  add("POST", `${WORK}/decide`, decideOnWork);
  add("POST", `${AGENT}/erase`, eraseAgentOrOwner);
  add("POST", `${WORK}/erase`, eraseWork);
  add("GET", REVISION, showRevision);
  add("POST", `${REVISION}/remove`, removeRevision);
  add("GET", `${REVISION}/files/:asset`, sendRevisionFile);
};

async function showQueue(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = call.context;
  const { query } = call;
  const lookedFor = typeof query.address === "string" ? query.address.trim() : "";
  const found = lookedFor === "" ? [] : await findSubjects(deps, lookedFor);
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    const { agentId, creationId } = only;
    return { goTo: creationId === null ? `${QUEUE}/agents/${agentId}` : `${QUEUE}/creations/${creationId}` };
  }
  const part = readListPage(query, QUEUE_PAGE);
  const { page, perPage } = part;
  const list = await listQueue(deps, { limit: perPage, offset: (page - 1) * perPage });
  const view = {
    ...frameOf(call),
    reported: list.items,
    total: list.total,
    closed: await listClosed(deps),
    links: frameList(QUEUE, {}, part, list).links,
    lookedFor,
    found: await nameAgents(deps, found),
    fault: lookedFor === "" || found.length > 0 ? null : "There is no agent or published work of this name.",
  };
  return { page: renderConsoleModerationPage(view) };
}

async function renderAgent(call: ConsoleCall, fault: DecisionFault | null): Promise<string> {
  const { deps } = call.context;
  const agent = await presentModeratedAgent(deps, await getModeratedAgent(deps, call.params.id));
  return renderModeratedAgentPage({ ...frameOf(call), agent, fault });
}

async function renderWork(
  call: ConsoleCall,
  fault: DecisionFault | null,
  keptFiles: readonly KeptFileView[] | null = null,
): Promise<string> {
  const { deps } = call.context;
  const work = await presentModeratedWork(deps, await getModeratedWork(deps, call.params.id));
  return renderModeratedWorkPage({ ...frameOf(call), work, fault, keptFiles });
}

async function decideOnAgent(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, params, fields } = call;
  const agent = await getModeratedAgent(context.deps, params.id);
  try {
    await ruleOnAgent(context.deps, actor, agent, { act: fields.act, reason: fields.reason });
    return { goTo: `${QUEUE}/agents/${agent.id}` };
  } catch (error) {
    const { status, message } = toFault(error);
    return { page: await renderAgent(call, toDecisionFault(call, message)), status };
  }
}

async function decideOnWork(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, params, fields } = call;
  const { creation } = await getModeratedWork(context.deps, params.id);
  try {
    await ruleOnCreation(context.deps, actor, creation, { act: fields.act, reason: fields.reason });
    return { goTo: `${QUEUE}/creations/${creation.id}` };
  } catch (error) {
    const { status, message } = toFault(error);
    return { page: await renderWork(call, toDecisionFault(call, message)), status };
  }
}

async function eraseAgentOrOwner({ context, actor, params, fields }: ConsoleCall): Promise<ConsoleAnswer> {
  const agent = await getModeratedAgent(context.deps, params.id);
  checkSure(fields);
  const subject = { agent, creation: null };
  await eraseForModerator(context.deps, actor, subject, { act: fields.act, reason: fields.reason });
  return { goTo: `${QUEUE}/agents/${agent.id}` };
}

async function eraseWork(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, params, fields } = call;
  const work = await getModeratedWork(context.deps, params.id);
  checkSure(fields);
  const given = { act: undefined, reason: fields.reason };
  const kept = await eraseForModerator(context.deps, actor, work, given);
  // No later page can tell of them: the work has no files any more.
  if (kept.length > 0) return { page: await renderWork(call, null, kept) };
  return { goTo: `${QUEUE}/creations/${work.creation.id}` };
}

function toDecisionFault({ fields }: ConsoleCall, message: string): DecisionFault {
  return { message, act: fields.act ?? "", reason: fields.reason ?? "" };
}

async function showFrontPage({ context, params }: ConsoleCall): Promise<ConsoleAnswer> {
  const agent = await getModeratedAgent(context.deps, params.id);
  const found = { row: await readFrontPage(context.deps, agent), live: true };
  const page = await renderFrontPagePreview(context, agent, found, `${QUEUE}/agents/${agent.id}`);
  return { page, scripts: false };
}

async function showRevision(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, params } = call;
  const found = await getModeratedWork(context.deps, params.id);
  const from = { room: "Moderation", workUrl: `${QUEUE}/creations/${found.creation.id}` } as const;
  const removed = await renderRemoved(call, found, from);
  if (removed !== null) return { page: removed };
  const shown = await readPublished(context.deps, found, params.number);
  return {
    page: await renderRevisionPreview(context, found, shown, { workUrl: from.workUrl, csrf: null }),
    scripts: false,
  };
}

async function removeRevision({ context, actor, params, fields }: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = context;
  const found = await getModeratedWork(deps, params.id);
  const { revision } = await readPublished(deps, found, params.number);
  checkSure(fields);
  await removeContent(deps, actor, revision.id, "moderator", readReason(fields.reason));
  return { goTo: `${QUEUE}/creations/${found.creation.id}` };
}

async function sendRevisionFile({ context, params, reply }: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = context;
  const found = await getModeratedWork(deps, params.id);
  await readPublished(deps, found, params.number);
  const file = await getOwnersFile(deps, found, params.number, params.asset);
  const { asset_id: key, filename, bytes } = file;
  const sent = { key, filename, bytes, type: CONTENT_TYPES[file.format] };
  return { sent: await sendStoredFile(deps, await context.downloads.open(reply), sent) };
}
