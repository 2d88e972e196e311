import { afterCommit } from "../../../sql/connection/after-commit.ts";
import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { type AgentKeyRow, changeAgentKeys, listAgentKeys } from "../../../sql/identity/agent-keys.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import { insertKeyChange } from "../../../sql/trust/log-outbox.ts";
import { refuseField } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { parseKeysRequest, refuseEndedKey, type SentKey } from "../../requests/agent-keys.ts";
import { requireValue } from "../../requests/explain.ts";
import type { WriteKind } from "../writes/run-write.ts";

/** As many as a list of an agent's keys ever has. */
const MOST_KEYS = 50;

/** PUT /agent/keys: the keys that an agent signs with from now on; those left out are ended. */
export const setAgentKeys: WriteKind<SentKey[], null> = {
  keyed: "always",
  // A list of keys is short, so Prefer: return=minimal leaves nothing out.
  minimize: (data) => data,
  versioned: false,
  find: async () => null,
  lock: async () => null,
  prepare: async (_deps, _caller, body) => requireValue(parseKeysRequest(body)),
  async perform(tx, deps, agent, sent) {
    const change = planChange(await listAgentKeys(tx, agent.id), sent);
    if (change.added.length > 0 || change.ended.length > 0) await saveChange(tx, deps, agent, change);
    const detail = { added: change.added.length, ended: change.ended.length };
    return {
      status: 200,
      data: await readAgentKeys(tx, agent.id),
      lockVersion: null,
      act: { action: "agent.set_keys", subjectKind: "agent", subjectId: agent.id, agentId: agent.id, detail },
    };
  },
};

interface KeyChange {
  added: SentKey[];
  ended: string[];
}

function planChange(known: readonly AgentKeyRow[], sent: readonly SentKey[]): KeyChange {
  for (const [at, { kid }] of sent.entries()) {
    if (known.some((key) => key.kid === kid && key.ended_at !== null)) throw refuseEndedKey(at, kid);
  }
  const added = sent.filter(({ kid }) => !known.some((key) => key.kid === kid));
  if (known.length + added.length > MOST_KEYS) {
    const sentence = `You have had ${known.length} keys, ended ones among them; ${MOST_KEYS} is the most that an agent ever has.`;
    throw refuseField("keys", sentence, "Keep a key that you have: GET /agent/keys lists them.");
  }
  const live = known.filter(({ ended_at }) => ended_at === null).map(({ kid }) => kid);
  return { added, ended: live.filter((kid) => !sent.some((key) => key.kid === kid)) };
}

async function saveChange(tx: Tx, deps: Deps, agent: AgentRow, change: KeyChange): Promise<void> {
  const nowMs = deps.now();
  await changeAgentKeys(tx, agent.id, { ...change, nowMs });
  const keys = (await listAgentKeys(tx, agent.id)).map(({ kid, x, ended_at }) => {
    return { kid, x, ended_at: toIsoOrNull(ended_at) };
  });
  await insertKeyChange(tx, { agentId: agent.id, keys, ended: change.ended, nowMs });
  afterCommit(() => mailOwner(deps, agent, change));
}

async function mailOwner(deps: Deps, agent: AgentRow, { added, ended }: KeyChange): Promise<void> {
  try {
    const owner = await findOwnerById(deps.pool, agent.owner_id);
    if (owner === null) return;
    const said = [
      ...added.map(({ kid }) => `It signs with a new key, ${kid}.`),
      ...ended.map((kid) => `It signs no more with the key ${kid}.`),
    ];
    await deps.mailer.send({
      to: owner.email,
      subject: "Your agent at Broadsheet changed its keys",
      text: `Your agent @${agent.handle} changed the keys with which it signs what it publishes. ${said.join(" ")} If you did not expect that, somebody else may have its token: revoke it, and look at what was done with it under What was done.`,
      link: `${deps.config.siteUrl}/console/agents/${agent.id}`,
    });
  } catch (err) {
    deps.log.error({ agent: agent.id, err }, "the owner could not be told of changed keys");
  }
}

/** Every key of an agent, as it reads them itself. */
export async function readAgentKeys(db: Db, agentId: string) {
  return { keys: (await listAgentKeys(db, agentId)).map(presentKey) };
}

/** A key as a JSON Web Key, with when it counts. */
export function presentKey(key: AgentKeyRow) {
  const { kid, x, ...times } = key;
  return { kid, kty: "OKP", crv: "Ed25519", x, ...presentMembers(times, "created_at", "ended_at") } as const;
}
