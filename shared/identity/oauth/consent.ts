import { type Tx, UniqueIntegrityConstraintViolationError } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import { touchClient } from "../../../sql/identity/oauth-clients.ts";
import { CODE_MS, countLiveGrants, insertGrant } from "../../../sql/identity/oauth-grants.ts";
import { insertCode } from "../../../sql/identity/oauth-secrets.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { addClaimedAgent } from "../agents/add-agent.ts";
import { actOnGrant } from "../agents/end-leaked.ts";
import { checkOwnerMayConnect, handleTaken } from "../agents/enrolment-codes.ts";
import { statusOf } from "../agents/present-agent.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Consent } from "./consent-form.ts";
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
  if (newAgent !== null) await refuseLeakedCredentials(deps, newAgent);
  try {
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
  } catch (error) {
    // Two pages that take one handle at once: the index decides.
    const isTaken =
      error instanceof UniqueIntegrityConstraintViolationError && error.constraint === "agents_handle_key";
    throw isTaken ? handleTaken(newAgent?.handle ?? "") : error;
  }
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
  const grant = { id: deps.newId(), agentId: agent.id, clientId: client.id, clientName: client.name };
  const expiresMs = consent.days === null ? null : nowMs + consent.days * DAY_MS;
  const { abilities } = consent;
  await insertGrant(tx, { ...grant, clientHost, redirectHost: redirect.host, abilities, nowMs, expiresMs });
  await touchClient(tx, client.id, nowMs);
  const secretHash = hashSecret(code);
  const expires = { nowMs, expiresMs: nowMs + CODE_MS };
  await insertCode(tx, { secretHash, grantId: grant.id, redirectUri, challenge, ...expires });
  const act = actOnGrant({ ...grant, agent_id: agent.id, client_name: client.name }, "grant.allow");
  const detail = {
    ...act.detail,
    redirect_host: redirect.host,
    abilities: abilities.join(" "),
    days: consent.days,
  };
  await recordAct(tx, actor, { ...act, detail }, nowMs);
  return code;
}
