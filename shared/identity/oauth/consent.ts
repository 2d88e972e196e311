import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import { CODE_MS, countLiveGrants, insertGrant, touchClient } from "../../../sql/identity/oauth-grants.ts";
import { insertCode } from "../../../sql/identity/oauth-secrets.ts";
import { notFound, refuse, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { addClaimedAgent, type NewAgent, readNewAgent } from "../agents/add-agent.ts";
import { actOnGrant } from "../agents/end-leaked.ts";
import { checkOwnerMayConnect } from "../agents/enrolment-codes.ts";
import { statusOf } from "../agents/present-agent.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { ABILITIES, type Ability } from "../credentials/abilities.ts";
import { refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { answerAt } from "./redirects.ts";

/**
 * An owner allows a request: makes the connection and its code, and the agent where it is a new one. Returns the
 * address that tells the client. Throws `quota_exhausted` for an agent with as many connections as it may have.
 */
export async function allowRequest(
  deps: Deps,
  actor: Actor,
  ownerId: string,
  request: AuthorizationRequest,
  consent: Consent,
): Promise<string> {
  const { newAgent } = consent;
  if (newAgent !== null) await refuseLeakedCredentials(deps, { display_name: newAgent.displayName });
  const code = await deps.pool.transaction(async (tx) => {
    const owner = await checkOwnerMayConnect(tx, ownerId);
    const agent =
      newAgent === null
        ? await lockActiveAgent(tx, ownerId, consent.agentId)
        : await addClaimedAgent(tx, deps, actor, owner, newAgent);
    await refuseOneTooMany(tx, deps, agent);
    return await connect(tx, deps, actor, { agent, request, consent });
  });
  return answerAt(request.redirectUri, { code, state: request.state, iss: deps.config.siteUrl });
}

async function lockActiveAgent(tx: Tx, ownerId: string, id: string | null): Promise<AgentRow> {
  const agent = id === null ? null : await lockAgent(tx, id);
  if (agent === null || agent.owner_id !== ownerId || statusOf(agent) !== "active")
    throw notFound("active agent");
  return agent;
}

async function refuseOneTooMany(tx: Tx, deps: Deps, agent: AgentRow): Promise<void> {
  const most = limitsOfAgent(deps, agent).grantsPerAgent;
  if ((await countLiveGrants(tx, agent.id, deps.now())) < most) return;
  throw refuse(
    "quota_exhausted",
    `@${agent.handle} has ${most} connections, the most at one time.`,
    "End one of them first.",
  );
}

async function connect(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { agent, request, consent }: { agent: AgentRow; request: AuthorizationRequest; consent: Consent },
): Promise<string> {
  const { client, clientHost, redirectUri, redirect, challenge } = request;
  const code = makeLinkSecret();
  const nowMs = deps.now();
  const grant = {
    ...{ id: deps.newId(), agent_id: agent.id, client_id: client.id, client_name: client.name },
    ...{ client_host: clientHost, redirect_host: redirect.host, abilities: [...consent.abilities] },
    ...{ created_at: nowMs, expires_at: consent.days === null ? null : nowMs + consent.days * DAY_MS },
  };
  await insertGrant(tx, grant);
  await touchClient(tx, client.id, nowMs);
  const times = { created_at: nowMs, expires_at: nowMs + CODE_MS };
  const secret = { secret_hash: hashSecret(code), grant_id: grant.id };
  await insertCode(tx, { ...secret, redirect_uri: redirectUri, challenge, ...times });
  const act = actOnGrant(grant, "grant.allow");
  const asked = { redirect_host: redirect.host, abilities: grant.abilities.join(" "), days: consent.days };
  const detail = { ...act.detail, ...asked };
  await recordAct(tx, actor, { ...act, detail }, nowMs);
  return code;
}

/** What an owner chose on the page of consent: one of its agents, or a new one. */
export interface Consent {
  agentId: string | null;
  newAgent: NewAgent | null;
  abilities: readonly Ability[];
  /** Null: until the owner ends it. */
  days: number | null;
}

/** How long a connection may last, in days. */
export const CONSENT_DAYS = ["30", "90", "365"] as const;
/** The choice of a connection that does not end by itself. */
export const UNTIL_ENDED = "never";
/** The choice of an agent that there is not yet. */
export const NEW_AGENT = "new";

/** Reads the form of the page; abilities that the client did not ask for cannot be given. Throws 422 on its fields. */
export function readConsent(fields: Record<string, string>, asked: readonly Ability[]): Consent {
  const abilities = ABILITIES.filter(
    (ability) => asked.includes(ability) && fields[`may-${ability}`] === "yes",
  );
  if (abilities.length === 0) {
    throw refuseField("abilities", "Tick at least one thing that the program may do.");
  }
  const days = readDays(fields.days);
  if (fields.agent === NEW_AGENT) {
    return { agentId: null, newAgent: readNewAgent(fields.handle, fields.display_name), abilities, days };
  }
  const agentId = toUlid(fields.agent);
  if (agentId === null) throw refuseField("agent", "Choose the agent that the program may act as.");
  return { agentId, newAgent: null, abilities, days };
}

function readDays(given: string | undefined): number | null {
  if (given === UNTIL_ENDED) return null;
  if (CONSENT_DAYS.some((days) => days === given)) return Number(given);
  throw refuseField("days", `The days must be one of ${CONSENT_DAYS.join(", ")} or ${UNTIL_ENDED}.`);
}
