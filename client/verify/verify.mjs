#!/usr/bin/env node
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkProof, hold, readCanonical, readLogKey, readWitnessKey } from "./proof.mjs";
import { checkRecord, compareHead, toHex } from "./work.mjs";

const USAGE = `verify FILE|FOLDER [--vkey KEY]… [--witness KEY]… [--quorum N] [--json]
Checks by the proof of a site's log what pull wrote, without a network.
Exit: 0 it holds, 1 it does not, 2 usage.`;
const PROOFS = ".broadsheet/proofs";
const RECORD = "disclosure,files,head,head_sha256,keys,paths,payload,proof_sha256,v,vkeys";

/** Notes what a check says, or why it failed; a check that says nothing is noted where it fails alone. */
async function note(checked, path, check) {
  try {
    const message = await check();
    if (message) checked.push({ path, ok: true, failed: null, message });
    return true;
  } catch (error) {
    const { failed = "file", message } = /** @type {any} */ (error);
    checked.push({ path, ok: false, failed, message });
    return false;
  }
}

/** The bytes of a file of a folder, which must have this hash, where one is given. */
function readFile(root, path, hash = null) {
  const isInside = !isAbsolute(path) && !path.split(/[/\\]/).includes("..");
  hold(isInside && existsSync(join(root, path)), "file", "The file is missing.");
  const bytes = readFileSync(join(root, path));
  hold(hash === null || toHex(bytes) === hash, "file", "The file is not the one of which pull wrote.");
  return bytes;
}

/** What a proof is of, in a sentence. */
function describe({ statement, index, checkpoint: { origin, vkeys, witnesses } }, { trusted }) {
  const { type, revision_number, creation, agent, published_at, at = published_at, site } = statement;
  const what = type === "published" ? `revision ${revision_number} of ${creation}` : type;
  const came = ", which came with the file: compare it with one that you kept";
  const isKept = (vkey) => trusted.some((key) => key.vkey === vkey);
  const keys = vkeys.map((vkey) => `signed by ${vkey}${isKept(vkey) ? "" : came}`);
  const seen = witnesses.map((name) => `seen by ${name}`);
  return [`entry ${index} of ${origin}: ${what}`, `agent ${agent}`, at, site, ...seen, ...keys].join("; ");
}

/** Checks a work of a folder by the two files that pull wrote of it, of which the record can be written in one way. */
async function checkWork(root, name, given, checked) {
  const [json, proof] = [`${PROOFS}/${name}.json`, `${PROOFS}/${name}.tlog-proof`];
  let [record, proven, keys] = /** @type {any[]} */ ([]);
  const readAll = () => {
    const text = `${readFile(root, json)}`;
    record = readCanonical(text.slice(0, -1), "file");
    const isRecord = text.endsWith("\n") && record.v === 1 && Object.keys(record).join() === RECORD;
    hold(isRecord && record.paths.length === record.files.length, "file", "Pull writes another form.");
    keys = { ...given, brought: record.vkeys.map(readLogKey) };
  };
  const prove = () => {
    proven = checkProof(`${readFile(root, proof)}`, keys);
    readFile(root, proof, record.proof_sha256);
    return describe(proven, keys);
  };
  if (!(await note(checked, json, readAll)) || !(await note(checked, proof, prove))) return;
  if (!(await note(checked, json, () => checkRecord(record, proven, keys)))) return;
  const { head, head_sha256, paths, files, payload } = record;
  for (const [n, path] of paths.entries())
    await note(checked, path, () => `${readFile(root, path, files[n]).length} bytes that were published`);
  await note(checked, head, () => compareHead(readFile(root, head, head_sha256), head, payload));
}

/** The paths below a folder, with slashes. */
function listPaths(root) {
  const paths = existsSync(root) ? readdirSync(root, { recursive: true }) : [];
  return paths.map((path) => `${path}`.replaceAll("\\", "/")).sort();
}

/** The paths of the works of which a folder has a proof, or half of one. */
const listWorks = (root) =>
  new Set(listPaths(join(root, PROOFS)).flatMap((path) => /^(.*)\.(json|tlog-proof)$/.exec(path)?.[1] ?? []));

/** Checks every work of a folder; gives the files of it that no proof names. */
async function checkFolder(root, keys, checked) {
  for (const name of listWorks(root)) await checkWork(root, name, keys, checked);
  await note(checked, root, () =>
    hold(checked.length > 0, "file", `No proof is in ${PROOFS}; pull writes it.`),
  );
  const isFile = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile();
  const isOwn = (path) => !/(^|\/)(\.|node_modules\/)/.test(path) && isFile(path);
  return listPaths(root).filter((path) => isOwn(path) && checked.every((one) => one.path !== path));
}

/** Checks the works that a file of a folder is of, or a proof that lies alone. */
async function checkFile(file, keys, checked) {
  const whole = realpathSync(file);
  let root = dirname(whole);
  while (!existsSync(join(root, PROOFS)) && root !== dirname(root)) root = dirname(root);
  const path = relative(root, whole).replaceAll("\\", "/");
  const isOf = (name) => {
    const [json, proof] = [`${PROOFS}/${name}.json`, `${PROOFS}/${name}.tlog-proof`];
    const isNamed = existsSync(join(root, json)) && `${readFile(root, json)}`.includes(JSON.stringify(path));
    return isNamed || path === json || path === proof;
  };
  const names = [...listWorks(root)].filter(isOf);
  for (const name of names) await checkWork(root, name, keys, checked);
  const prove = () => describe(checkProof(readFileSync(file, "utf8"), keys), keys);
  if (names.length === 0) await note(checked, file, prove);
  return [];
}

/** Checks a file or a folder by keys that the caller has from elsewhere; throws where these are none. */
export async function verify(target, { vkey = [], witness = [], quorum = witness.length }) {
  const [trusted, witnesses] = [vkey.map(readLogKey), witness.map(readWitnessKey)];
  const isQuorum = /^\d+$/.test(`${quorum}`) && Number(quorum) <= witnesses.length;
  hold(isQuorum, "usage", "--quorum is at most the number of --witness.");
  const check = statSync(target).isDirectory() ? checkFolder : checkFile;
  const checked = [];
  const keys = { trusted, brought: [], witnesses, quorum: Number(quorum) };
  const not_checked = await check(target, keys, checked);
  const ok = checked.every((one) => one.ok);
  const held = vkey.length > 0 ? "verified" : "consistent_with_itself";
  return { ok, verdict: ok ? held : "failed", checked, not_checked };
}

function print({ verdict, checked, not_checked }) {
  for (const { ok, path, failed, message } of checked)
    console.log(`${ok ? "ok    " : "FAILED"}  ${path}\n        ${ok ? "" : `${failed}: `}${message}`);
  for (const path of not_checked) console.log(`not checked: ${path}`);
  const n = not_checked.length;
  const isAll = verdict === "failed" || n === 0;
  console.log(isAll ? verdict : `${verdict}, but for ${n} file${n === 1 ? "" : "s"} without a proof`);
}

/** Does what a command line asks for, and gives the exit code. */
export async function main(args) {
  const list = /** @type {const} */ ({ type: "string", multiple: true });
  const flag = /** @type {const} */ ({ type: "boolean" });
  const options = { vkey: list, witness: list, quorum: { ...list, multiple: false }, json: flag, help: flag };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) console.log(USAGE);
    if (values.help) return 0;
    hold(positionals.length === 1, "usage", "Name one file or folder.");
    const report = await verify(positionals[0], values);
    if (values.json || !process.stdout.isTTY) console.log(JSON.stringify(report));
    else print(report);
    return report.ok ? 0 : 1;
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n${USAGE}`);
    return 2;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = await main(process.argv.slice(2));
