import { eraseForModerator, ruleOnAgent, ruleOnCreation } from "../../../shared/care/moderation/decide.ts";
import {
  findSubjects,
  getModeratedAgent,
  getModeratedWork,
  listClosed,
  listQueue,
  nameAgents,
  presentModeratedAgent,
  presentModeratedWork,
  readFrontPage,
  readPublished,
} from "../../../shared/care/moderation/queue.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { readReason } from "../../../shared/identity/sign-in/owner-fields.ts";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import type { KeptFile } from "../../../sql/care/erasures.ts";
import { type ConsoleAnswer, type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { readListPage } from "../../http/query.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { type DecisionFault, renderModeratedAgentPage } from "../../pages/console/moderated-parts.ts";
import { renderModeratedWorkPage } from "../../pages/console/moderated-work-page.ts";
import { renderConsoleModerationPage } from "../../pages/console/moderation-page.ts";
import {
  renderFrontPagePreview,
  renderRemoved,
  renderRevisionPreview,
} from "../../pages/console/preview-page.ts";
import { checkSure, toFault } from "../../pages/parts/forms.ts";
import { sendOwnersFile } from "./works.ts";

const QUEUE = "/console/moderation";
const AGENT = `${QUEUE}/agents/:id`;
const WORK = `${QUEUE}/creations/:id`;
const REVISION = `${WORK}/revisions/:number`;
const QUEUE_PAGE = 50;

/** The moderators' pages and decisions; everybody else gets 404 at every address here. */
export const addConsoleModerationRoutes: RouteGroup = (app, context) => {
  const { get, post } = openConsole(app, context, { moderators: true });
  get(QUEUE, showQueue);
  get(AGENT, async (call) => ({ page: await renderAgent(call, null) }));
  post(`${AGENT}/decide`, decideOnAgent);
  get(`${AGENT}/front-page`, showFrontPage);
  get(WORK, async (call) => ({ page: await renderWork(call, null) }));
  post(`${WORK}/decide`, decideOnWork);
  post(`${AGENT}/erase`, eraseAgentOrOwner);
  post(`${WORK}/erase`, eraseWork);
  get(REVISION, showRevision);
  post(`${REVISION}/remove`, removeRevision);
  get(`${REVISION}/files/:asset`, sendRevisionFile);
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
  keptFiles: readonly KeptFile[] | null = null,
): Promise<string> {
  const { deps } = call.context;
  const work = await presentModeratedWork(deps, await getModeratedWork(deps, call.params.id));
  return renderModeratedWorkPage({ ...frameOf(call), work, fault, keptFiles });
}

async function decideOnAgent(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, params, fields } = call;
  const agent = await getModeratedAgent(context.deps, params.id);
  const rule = () => ruleOnAgent(context.deps, actor, agent, { act: fields.act, reason: fields.reason });
  return await decide(call, `${QUEUE}/agents/${agent.id}`, rule, renderAgent);
}

async function decideOnWork(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, params, fields } = call;
  const { creation } = await getModeratedWork(context.deps, params.id);
  const rule = () =>
    ruleOnCreation(context.deps, actor, creation, { act: fields.act, reason: fields.reason });
  return await decide(call, `${QUEUE}/creations/${creation.id}`, rule, renderWork);
}

async function decide(
  call: ConsoleCall,
  goTo: string,
  rule: () => Promise<unknown>,
  render: (call: ConsoleCall, fault: DecisionFault) => Promise<string>,
): Promise<ConsoleAnswer> {
  try {
    await rule();
    return { goTo };
  } catch (error) {
    const { status, message } = toFault(error);
    const { act = "", reason = "" } = call.fields;
    return { page: await render(call, { message, act, reason }), status };
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

async function sendRevisionFile(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { deps } = call.context;
  const found = await getModeratedWork(deps, call.params.id);
  await readPublished(deps, found, call.params.number);
  return await sendOwnersFile(call, found);
}
