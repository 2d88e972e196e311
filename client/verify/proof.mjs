import { createHash, createPublicKey, verify } from "node:crypto";

/** Ends a check unless a condition holds; `failed` is the part that a proof failed in. */
export function hold(condition, failed, message) {
  if (!condition) throw Object.assign(new Error(message), { failed });
}

export const sha256 = (...parts) =>
  parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest();

/** The RFC 8785 form of a JSON value; a member that is undefined is none. */
export function toCanonical(value) {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(",")}]`;
  if (Object(value) !== value) return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names.sort().map((name) => `${JSON.stringify(name)}:${toCanonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** The value of a text that is written as RFC 8785 says, and in no other way. */
export function readCanonical(text, failed) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {}
  hold(value && toCanonical(value) === text, failed, "It is not written in canonical JSON (RFC 8785).");
  return value;
}

/** The bytes of a text that is the one way to write them. */
export function decode(text, failed, form = /** @type {BufferEncoding} */ ("base64")) {
  const bytes = Buffer.from(`${text}`, form);
  hold(bytes.toString(form) === text, failed, `${text} is not written in ${form}.`);
  return bytes;
}

/** Whether an Ed25519 key of 32 bytes signed a message. */
function isSigned(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.toString("base64url") };
  return verify(null, Buffer.from(message), createPublicKey({ key: jwk, format: "jwk" }), signature);
}

/** A verifier key of Ed25519 (c2sp.org/signed-note) of a type: 1 of logs, 4 of witnesses. */
function readKey(vkey, type) {
  const [, name, id, coded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? [];
  const typed = decode(coded ?? "", "checkpoint");
  const isKey = typed.length === 33 && typed[0] === type;
  const isNamed = sha256(`${name}\n`, typed).toString("hex", 0, 4) === id;
  hold(isKey && isNamed, "checkpoint", `${vkey} is no such key.`);
  return { name, id, vkey, key: typed.subarray(1) };
}

export const readLogKey = (vkey) => readKey(vkey, 1);
export const readWitnessKey = (vkey) => readKey(vkey, 4);

/** The text of a note and its lines of signatures (c2sp.org/signed-note). */
function readNote(note) {
  const at = note.lastIndexOf("\n\n");
  const lines = note.slice(at + 2).split("\n");
  hold(at >= 0 && lines.pop() === "", "checkpoint", "The checkpoint is no signed note.");
  const signatures = lines.map((line) => {
    const [, name, coded] = /^\u2014 ([^+\s]+) (\S+)$/.exec(line) ?? [];
    hold(name !== undefined, "checkpoint", "A line of the checkpoint is no signature.");
    const bytes = decode(coded, "checkpoint");
    return { name, id: bytes.toString("hex", 0, 4), signature: bytes.subarray(4) };
  });
  return { text: note.slice(0, at + 1), signatures };
}

/** The keys of a list that signed a note; a wrong line of one of them ends the check. */
function findSigners({ text, signatures }, keys, failed) {
  const isRight = ({ key }, signature) => {
    if (failed === "checkpoint") return isSigned(key, text, signature);
    const seconds = signature.length === 72 ? signature.readBigInt64BE() : 0n;
    const message = `cosignature/v1\ntime ${seconds}\n${text}`;
    return seconds > 0n && isSigned(key, message, signature.subarray(8));
  };
  return keys.filter((key) => {
    const lines = signatures.filter(({ name, id }) => name === key.name && id === key.id);
    const areRight = lines.every(({ signature }) => isRight(key, signature));
    hold(areRight, failed, `The signature of ${key.name} is wrong.`);
    return lines.length > 0;
  });
}

/**
 * The checkpoint that a proof ends with. `trusted` are keys that the caller gives, one of which must have signed where
 * there are any; `brought` came with the proof, and must all have.
 */
function readCheckpoint(note, { trusted, brought, witnesses, quorum }) {
  const read = readNote(note);
  const [origin, size, hash, ...more] = read.text.split("\n");
  hold(/^[1-9]\d{0,14}$/.test(size) && more.at(-1) === "", "checkpoint", "The checkpoint has no size.");
  const root = decode(hash, "checkpoint");
  const [given, came] = [trusted, brought].map((keys) => keys.filter(({ name }) => name === origin));
  const signers = findSigners(read, [...given, ...came], "checkpoint");
  const isSigner = (key) => signers.includes(key);
  const isBelieved = trusted.length > 0 ? given.some(isSigner) : came.length > 0;
  const whose = trusted.length > 0 ? "None of the given keys" : "No key that came with it";
  hold(isBelieved, "checkpoint", `${whose} signed the checkpoint of ${origin}.`);
  hold(came.every(isSigner), "checkpoint", "A key that came with the proof did not sign it.");
  const seen = [...new Set(findSigners(read, witnesses, "cosignatures").map(({ name }) => name))];
  const few = `${seen.length} of the given witnesses signed the checkpoint of ${origin}, and not ${quorum}.`;
  hold(seen.length >= quorum, "cosignatures", few);
  const vkeys = [...new Set(signers.map(({ vkey }) => vkey))];
  return { origin, size: Number(size), root, vkeys, witnesses: seen };
}

/** The root that the hashes of a proof lead to from a leaf (RFC 9162, 2.1.3.2). */
function findRoot(leaf, index, size, path) {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0 || sibling.length !== 32) return null;
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? sha256("\u0001", sibling, hash) : sha256("\u0001", hash, sibling);
    while (isRight && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && index < size ? hash : null;
}

/** Checks a proof (c2sp.org/tlog-proof) down to the statement that its entry commits to. */
export function checkProof(proof, keys) {
  const end = proof.indexOf("\n\n");
  const [head, ...lines] = proof.slice(0, Math.max(end, 0)).split("\n");
  hold(head === "c2sp.org/tlog-proof@v1", "file", "This is no proof of a log.");
  const coded = lines[0]?.startsWith("extra ") ? lines.shift()?.slice(6) : undefined;
  const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(lines.shift() ?? "") ?? [];
  const checkpoint = readCheckpoint(proof.slice(end + 2), keys);
  const gone = "The content was removed, and the proof says no more of what it is. One that was kept holds.";
  hold(coded !== undefined, "commitment", gone);
  const extra = readCanonical(`${decode(coded, "commitment")}`, "commitment");
  const { entry, nonce, statement } = extra;
  const hash = sha256(decode(nonce, "commitment"), toCanonical(statement)).toString("hex");
  const said = { ...statement, revision: statement.revision_number };
  const isSaid = (name) => entry[name] == null || entry[name] === said[name];
  const isSame = entry.commitment === hash && ["type", "agent", "creation", "revision"].every(isSaid);
  hold(isSame && Object.keys(extra).length === 3, "commitment", "The entry commits to another statement.");
  const path = lines.map((line) => decode(line, "inclusion"));
  const root = findRoot(sha256("\0", toCanonical(entry)), Number(index), checkpoint.size, path);
  hold(root?.equals(checkpoint.root), "inclusion", "The hashes lead from the entry to another checkpoint.");
  return { statement, index: Number(index), checkpoint };
}

/** Checks an agent's signature of a statement by its keys, as a proof of the log has them; gives the `kid`. */
export function checkSignature({ agent, checksum, disclosure_sha256, signature, published_at }, keys) {
  const { kid, sig } = signature;
  const { x, ended_at } = keys.find((key) => key.kid === kid) ?? {};
  const thumbprint = sha256(toCanonical({ crv: "Ed25519", kty: "OKP", x: `${x}` })).toString("base64url");
  hold(thumbprint === kid, "signature", `No key ${kid} of the agent came with it.`);
  const text = toCanonical({ agent, checksum, disclosure_sha256, v: 1 });
  const [key, signed] = [x, sig].map((one) => decode(one, "signature", "base64url"));
  hold(isSigned(key, text, signed), "signature", `The key ${kid} did not sign this.`);
  const isLive = ended_at === null || ended_at >= published_at;
  hold(isLive, "signature", `The key ${kid} ended ${ended_at}, before this was published.`);
  return kid;
}

/** Those of these verifier keys that signed the checkpoint of a proof. */
export function listSigners(proof, vkeys) {
  const note = readNote(proof.slice(proof.indexOf("\n\n") + 2));
  return findSigners(note, vkeys.map(readLogKey), "checkpoint").map(({ vkey }) => vkey);
}
