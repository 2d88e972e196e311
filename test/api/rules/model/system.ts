import { Refusal } from "../../../../shared/ground/errors.ts";
import { type AgentCommand, runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runOwnerCommand } from "../../../../shared/identity/owners/suspension.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { insertAsset, settleAssetReady } from "../../../../sql/datasets/assets.ts";
import { addToStorage } from "../../../../sql/identity/agents.ts";
import type { Json, Reply, TestAgent } from "../../../support/agent.ts";
import type { AgentView, Answer, Order, Request, RevisionView } from "./calls.ts";
import { answerOf, revisionViewOf, toAgentView } from "./views.ts";

/** The service as the property sees it: calls in, what matters of the answers out. */
export interface System {
  call(request: Request): Promise<Answer>;
  /** The refusal's code, or null. */
  order(order: Order): Promise<string | null>;
  wait(untilMs: number, sweeps: boolean): Promise<void>;
  lookAtAgent(): Promise<AgentView | null>;
  lookAt(creation: number): Promise<Answer>;
  lookAtRevisions(creation: number): Promise<RevisionView[]>;
  /** Where the clock cannot be held still: makes of timestamps the fact that there is one. */
  blur?(view: unknown): unknown;
}

/** Who calls, where, and how time passes there. */
export interface Player {
  agent: Pick<TestAgent, "id" | "ownerId" | "get" | "send">;
  deps: Deps;
  /** A creation of another agent. */
  foreignId: string;
  wait(untilMs: number, sweeps: boolean): Promise<void>;
}

const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const FAR_MS = Date.parse("2500-01-01T00:00:00Z");

/** What the service calls the things that the model counts. */
interface Names {
  creations: string[];
  revisions: string[][];
  profiles: string[];
  keys: Map<string, string>;
  bodies: Map<string, object>;
}

/** One agent of the service under test. */
export function openSystem(player: Player): System {
  const names: Names = { creations: [], revisions: [], profiles: [], keys: new Map(), bodies: new Map() };
  const { agent, deps } = player;
  const numberOf = (id: string) => Math.max(...names.revisions.map((ids) => ids.indexOf(id))) + 1;
  const path = (place: number | string) =>
    `/creations/${typeof place === "number" ? names.creations[place] : place === "foreign" ? player.foreignId : NOBODY}`;
  return {
    async call(request) {
      const reply = await send(player, names, request, path(request.creation));
      learn(names, request, reply);
      return answerOf(reply, request.kind.endsWith("Profile") ? null : numberOf);
    },
    order: (order) => refusalOf(() => carryOut(deps, agent, names, order)),
    wait: player.wait,
    async lookAtAgent() {
      const reply = await agent.get("/agent");
      return reply.status === 200 ? toAgentView(reply.json.data) : null;
    },
    lookAt: async (place) => answerOf(await agent.get(path(place)), numberOf),
    async lookAtRevisions(place) {
      const reply = await agent.get(`${path(place)}/revisions?per_page=100`);
      return reply.json.data.map(revisionViewOf).reverse();
    },
  };
}

const ROUTES: Record<string, ["POST" | "PATCH" | "DELETE", string]> = {
  patch: ["PATCH", ""],
  cancel: ["DELETE", "/schedule"],
};

async function send({ agent, deps }: Player, names: Names, request: Request, path: string): Promise<Reply> {
  const { kind, key, ifMatch } = request;
  const headers = { key: key === null ? null : uuidOf(names, key), ifMatch };
  if (kind === "saveProfile") {
    const body = {
      display_name: request.named ? "Tide Watch" : null,
      sections: request.sections.map(section),
    };
    return await agent.send("PATCH", "/agent/profile", body, { ...headers, key: null });
  }
  if (kind === "publishProfile") {
    const place = request.revision === "unknown" ? -1 : request.revision.number;
    return await agent.send(
      "POST",
      "/agent/profile/publish",
      { revision_id: names.profiles[place] ?? NOBODY },
      headers,
    );
  }
  const body = await bodyOf(deps, agent.id, names, request);
  if (kind === "create") return await agent.send("POST", "/creations", body, headers);
  const [method, end] = ROUTES[kind] ?? ["POST", `/${kind}`];
  return await agent.send(method, `${path}${end}`, body, headers);
}

const section = (slug: string) => ({ slug, name: slug });

/** The model's keys are told apart by name, the service's are UUIDs. */
function uuidOf(names: Names, key: string): string {
  const known = names.keys.get(key) ?? crypto.randomUUID();
  names.keys.set(key, known);
  return known;
}

async function bodyOf(
  deps: Deps,
  agentId: string,
  names: Names,
  request: Request,
): Promise<object | undefined> {
  const { kind, revision, visibility, publishMs } = request;
  if (kind === "cancel" || kind === "unpublish") return undefined;
  if (kind === "create" || kind === "patch") return await savedBody(deps, agentId, names, request);
  if (kind === "visibility") return { visibility };
  const revision_id =
    revision === "unknown" ? NOBODY : names.revisions[revision.creation]?.[revision.number - 1];
  const order = { revision_id, ...(visibility === null ? {} : { visibility }) };
  return kind === "schedule" ? { ...order, publish_at: new Date(publishMs).toISOString() } : order;
}

/** A retry sends the body that its key was first sent with, file ids included. */
async function savedBody(deps: Deps, agentId: string, names: Names, request: Request): Promise<object> {
  const { key, kind, section: slug, minor, summary, entry } = request;
  const place = typeof request.creation === "number" ? request.creation : -1;
  const type =
    kind === "create" ? request.type : (names.bodies.get(`type-${place}`) as { type?: string })?.type;
  const known = key === null ? undefined : names.bodies.get(key);
  const entryId = typeof entry === "number" ? names.creations[entry] : NOBODY;
  const payload = known ?? (await payloadOf(deps, agentId, type ?? request.type, entryId ?? NOBODY));
  if (key !== null) names.bodies.set(key, payload);
  const change_summary = summary ? "What changed." : null;
  return { ...(kind === "create" ? { type } : {}), section: slug, minor, change_summary, payload };
}

async function payloadOf(deps: Deps, agentId: string, type: string, entry: string): Promise<object> {
  const title = `A ${type}`;
  if (type === "brief") return { body_markdown: "In brief." };
  if (type === "story") return { title, body_markdown: "The gauge rose." };
  if (type === "external_project") return { title, external_url: "https://code.example.net/tides" };
  if (type === "collection") return { title, entries: [entry] };
  return { title, attachments: [{ asset_id: await makeReadyFile(deps, agentId, type), label: "File" }] };
}

/** A file as its upload leaves it: uploads are tested elsewhere, and would take most of the time here. */
async function makeReadyFile(deps: Deps, agentId: string, type: string): Promise<string> {
  const id = deps.newId();
  const kind = type === "file" ? { kind: "document", format: "txt" } : { kind: "dataset", format: "csv" };
  const file = {
    ...kind,
    filename: "a.file",
    bytes: 1,
    sha256: "0".repeat(64),
    nowMs: deps.now(),
    expiresMs: FAR_MS,
  };
  await deps.pool.transaction(async (tx) => {
    await insertAsset(tx, { id, agentId, ...file });
    await settleAssetReady(tx, id, 1, { inspection: null, tables: "[]", hints: "[]", nowMs: Date.now() });
    await addToStorage(tx, agentId, 1, 1);
  });
  return id;
}

/** Keeps the ids that an answer tells. */
function learn(names: Names, request: Request, { status, json, headers }: Reply): void {
  if (status >= 300 || headers["idempotent-replayed"] !== undefined) return;
  const data: Json = json.data;
  if (request.kind === "saveProfile") names.profiles.push(data.draft.revision_id);
  if (request.kind.endsWith("Profile")) return;
  if (request.kind === "create") {
    names.bodies.set(`type-${names.creations.length}`, { type: data.type });
    names.creations.push(data.id);
    names.revisions.push([]);
  }
  const ids = names.revisions[names.creations.indexOf(data.id)] ?? [];
  ids[data.latest_revision.revision_number - 1] = data.latest_revision.id;
}

async function carryOut(deps: Deps, agent: Player["agent"], names: Names, given: Order): Promise<unknown> {
  const { kind, order, creation, number } = given;
  if (kind === "agent") return await runAgentCommand(deps, COMMAND_LINE, agent.id, order as AgentCommand);
  if (kind === "owner") return await runOwnerCommand(deps, COMMAND_LINE, agent.ownerId, order as "suspend");
  const id = names.creations[creation];
  const revisionId = names.revisions[creation]?.[number - 1];
  if (id === undefined || revisionId === undefined) return null;
  if (kind === "remove") return await removeContent(deps, COMMAND_LINE, revisionId, "moderator");
  return await runCreationCommand(deps, COMMAND_LINE, id, order as "hide");
}

async function refusalOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
