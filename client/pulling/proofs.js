import { readFileSync, rmSync } from "node:fs";
import { join, posix } from "node:path";
import { EXIT } from "../reading/faults.js";
import { HEADS } from "../reading/read-folder.js";
import { refusalOf, sha256 } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { listSigners, toCanonical } from "../verify/proof.mjs";
import { orNothing, pick, SAID } from "./write-work.js";

/** Writes beside a work of the folder what proves it; gives where, null where the log has it not as it lies here. */
export async function writeProof({ site }, work, root, kept) {
  const at = join(root, ".broadsheet", "proofs", work.path);
  const found = await findProof({ ...site, kept }, work);
  // A work of which a file was deleted since, or lies here in another dialect, cannot be held against its proof.
  const isSame = (hash, n) => sha256(readFileSync(join(root, work.files[n].path))) === hash;
  const isWhole = found?.files.length === work.files.length && found.files.every(isSame);
  for (const end of [".json", ".tlog-proof"]) if (!isWhole) rmSync(`${at}${end}`, { force: true });
  if (!isWhole) return null;
  const { proof, ...record } = found;
  const head = posix.join(work.path, HEADS[work.type] ?? "");
  const head_sha256 = sha256(readFileSync(join(root, head)));
  const paths = work.files.map(({ path }) => path);
  writeWhole(`${at}.tlog-proof`, proof);
  const whole = { ...record, head, head_sha256, paths, proof_sha256: sha256(proof), v: 1 };
  writeWhole(`${at}.json`, `${toCanonical(whole)}\n`);
  return `.broadsheet/proofs/${work.path}.json`;
}

/** The proof of a published work, and what is held against it; null where there is none for everybody. */
async function findProof(site, { data, remote }) {
  const { latest_revision: own = data } = remote ?? {};
  if (!data.log || own.checksum !== data.checksum) return null;
  try {
    return await readProof(site, data, remote && own);
  } catch (end) {
    // It names works that are not shown, or its content was removed meanwhile.
    if (/** @type {any} */ (end).exit === EXIT.refused) return null;
    throw end;
  }
}

async function readProof({ site, ask, kept }, data, own) {
  const read = async (url) => {
    const answer = await ask("GET", url);
    if (!answer.ok) throw refusalOf(answer);
    return `${answer.bytes}`;
  };
  // The keys of a log and of an agent are those of every work.
  const readOnce = async (url) => {
    if (!kept.has(url)) kept.set(url, await read(url));
    return kept.get(url);
  };
  const { url, agent, signature, revision_number, disclosure, log } = data;
  const proof = await read(log.proof_url);
  const keys = signature ? await readOnce(`${agent.url}/profile/keys.tlog-proof`) : null;
  const vkeys = [];
  for (const one of keys ? [proof, keys] : [proof]) {
    const [, place] = /\n\n[^/\n]*(\/.*)\n/.exec(one) ?? [];
    const all = (await readOnce(`${site}${place}/vkeys`)).trim().split("\n");
    vkeys.push(...listSigners(one, all).filter((vkey) => !vkeys.includes(vkey)));
  }
  const hashed = own
    ? { payload: own.payload, files: own.files.map(({ content_sha256 }) => content_sha256) }
    : JSON.parse(await read(`${url}/revisions/${revision_number}/checksum.json`));
  const said = pick({ ...disclosure, ...(!disclosure?.declared && { origin: null }) }, SAID);
  const isSaid = orNothing({ ...said, human_review: said.human_review !== "none" });
  return { proof, keys, vkeys, ...hashed, disclosure: isSaid ? said : null };
}
