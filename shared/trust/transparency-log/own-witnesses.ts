import { lockName } from "../../../sql/platform/locks.ts";
import {
  deleteWitness,
  insertWitness,
  listWitnesses,
  noteWitnesses,
  type WitnessRow,
} from "../../../sql/trust/log-witnesses.ts";
import { orNotFound, refuse, refuseField } from "../../ground/errors.ts";
import { toIsoOrNull } from "../../ground/times.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { readWitness } from "../../text/transparency-log/cosignature.ts";
import { publicKeyOf, type Verifier } from "../../text/transparency-log/signed-note.ts";
import { witnessNameOf } from "./log-keys.ts";

/** Reads the key of a witness; throws 422 that says why another key is none. */
export function requireWitness(vkey: string): Verifier {
  const key = readWitness(vkey);
  if (key !== null) return key;
  const mend = "Take the witness's verifier key <name>+<id>+<key> of the type 4: Ed25519 cosignature/v1.";
  throw refuseField("vkey", "VKEY is no key of a witness that cosigns by Ed25519 cosignature/v1.", mend);
}

/** Has a witness cosign every checkpoint from now on; `url` is its submission prefix. */
export async function addWitness(deps: Deps, vkey: string, url: string) {
  const { name } = requireWitness(vkey);
  if (name === witnessNameOf(deps.config.siteUrl)) {
    throw refuseField("vkey", "This is the site itself, which proves nothing to others as its own witness.");
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "") || !/^[^?#]{1,2000}$/.test(url)) {
    throw refuseField("url", "URL is the witness's submission prefix, such as https://example.org/witness.");
  }
  await deps.pool.transaction(async (tx) => {
    const nowMs = deps.now();
    // A log that begins meanwhile would not know of it.
    await lockName(tx, "sequencer:log");
    const same = (await listWitnesses(tx)).find(
      (other) => other.name !== name && publicKeyOf(other.vkey) === publicKeyOf(vkey),
    );
    if (same !== undefined)
      throw refuseField("vkey", `The witness ${same.name} has this key: it counts once.`);
    const isNew = await insertWitness(tx, {
      name,
      vkey,
      url: url.endsWith("/") ? url.slice(0, -1) : url,
      nowMs,
    });
    const mend = `Remove it first: log witness remove ${name}.`;
    if (!isNew) throw refuse("invalid_revision_state", `There is a witness ${name} already.`, mend);
    await noteWitnesses(tx);
    await recordAct(
      tx,
      COMMAND_LINE,
      makeAct("log", name, "log.add_witness", { detail: { vkey, url } }),
      nowMs,
    );
  });
  const added = (await listWitnesses(deps.pool)).find((witness) => witness.name === name);
  return present(orNotFound("witness", added ?? null));
}

/** Every witness, with what it signed last and why it did not sign since. */
export async function readWitnesses({ pool }: Pick<Deps, "pool">) {
  return { witnesses: (await listWitnesses(pool)).map((row) => ({ ...present(row), ...howFar(row) })) };
}

/** Asks a witness no more; its lines stay. */
export async function removeWitness(deps: Deps, name: string) {
  await deps.pool.transaction(async (tx) => {
    if (!(await deleteWitness(tx, name))) orNotFound("witness", null);
    await recordAct(tx, COMMAND_LINE, makeAct("log", name, "log.remove_witness"), deps.now());
  });
  return { removed: name };
}

function present({ name, vkey, url, last_size }: WitnessRow) {
  return { name, key_id: vkey.slice(name.length + 1).split("+")[0] ?? "", url, last_size };
}

function howFar({ last_at, failure }: WitnessRow) {
  return { last_at: toIsoOrNull(last_at), failure };
}
