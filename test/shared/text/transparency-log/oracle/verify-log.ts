import { createHash, createPublicKey, verify } from "node:crypto";

// A verifier of logs as the texts of C2SP and RFC 6962 describe one, as plainly as it can be.

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest();
};

/** RFC 6962, 2.1: MTH of a list of entries. */
export function treeHash(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return sha256("");
  if (entries.length === 1) return sha256("\0", entries[0] ?? "");
  let k = 1;
  while (2 * k < entries.length) k = 2 * k;
  return sha256("\u0001", treeHash(entries.slice(0, k)), treeHash(entries.slice(k)));
}

/** The same for each of these lengths of a long list, which is read once: a counter in base 2 of whole trees. */
export function treeHashes(entries: readonly Uint8Array[], lengths: Iterable<number>): Map<number, Buffer> {
  const wanted = new Set(lengths);
  const found = new Map<number, Buffer>([[0, sha256("")]]);
  const whole: { count: number; hash: Buffer }[] = [];
  const join = (left: Buffer, right: Buffer) => sha256("\u0001", left, right);
  for (const [at, entry] of entries.entries()) {
    whole.push({ count: 1, hash: sha256("\0", entry) });
    while (whole.length > 1 && whole.at(-1)?.count === whole.at(-2)?.count) {
      const [left, right] = whole.splice(-2);
      if (left && right) whole.push({ count: left.count * 2, hash: join(left.hash, right.hash) });
    }
    const hashes = whole.map(({ hash }) => hash);
    if (wanted.has(at + 1))
      found.set(
        at + 1,
        hashes.reduceRight((right, left) => join(left, right)),
      );
  }
  return found;
}

/** RFC 6962, 2.1.1, read backwards: the root of a tree of n entries that this path gives for the entry m. */
export function rootFromPath(m: number, n: number, entry: Uint8Array, path: readonly Buffer[]): Buffer {
  if (n === 1) {
    if (path.length > 0) throw new Error("the path is too long");
    return sha256("\0", entry);
  }
  const sibling = path.at(-1);
  if (sibling === undefined) throw new Error("the path is too short");
  let k = 1;
  while (2 * k < n) k = 2 * k;
  return m < k
    ? sha256("\u0001", rootFromPath(m, k, entry, path.slice(0, -1)), sibling)
    : sha256("\u0001", sibling, rootFromPath(m - k, n - k, entry, path.slice(0, -1)));
}

/** The text of a signed note that the key of this vkey signed; throws for any other. */
export function verifySignedNote(note: string, vkey: string): string {
  const parts = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey);
  const [, name = "", id = "", coded = ""] = parts ?? [];
  const typed = Buffer.from(coded, "base64");
  if (sha256(name, "\n", typed).toString("hex").slice(0, 8) !== id)
    throw new Error("the id is another key's");
  if (typed[0] !== 1) throw new Error("the key is not Ed25519");
  const jwk = { kty: "OKP", crv: "Ed25519", x: typed.subarray(1).toString("base64url") };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const [, text = "", lines = ""] = /^([\s\S]*\n)\n((?:\u2014 .*\n)+)$/.exec(note) ?? [];
  for (const line of lines.split("\n")) {
    const [dash, signer, signature = ""] = line.split(" ");
    const bytes = Buffer.from(signature, "base64");
    if (dash !== "\u2014" || signer !== name || bytes.toString("hex", 0, 4) !== id) continue;
    if (verify(null, Buffer.from(text), key, bytes.subarray(4))) return text;
    throw new Error("the signature is wrong");
  }
  throw new Error("the key did not sign");
}

/** Checks a tlog-proof of an entry; returns the size of the log that it was checked against. */
export function verifyProof(proof: string, vkey: string, entry: Uint8Array): number {
  const [head = "", ...rest] = proof.split("\n\n");
  const lines = head.split("\n");
  if (lines.shift() !== "c2sp.org/tlog-proof@v1") throw new Error("not a proof");
  if (lines[0]?.startsWith("extra ")) lines.shift();
  const index = Number(lines.shift()?.replace(/^index /, ""));
  const [origin, size, root] = verifySignedNote(rest.join("\n\n"), vkey).split("\n");
  if (origin !== vkey.split("+")[0]) throw new Error("another log's checkpoint");
  const path = lines.map((line) => Buffer.from(line, "base64"));
  if (rootFromPath(index, Number(size), entry, path).toString("base64") !== root) {
    throw new Error("the entry is not in the tree");
  }
  return Number(size);
}

/** The parts of `extra`; null where a proof has none. */
export function readExtra(proof: string): { entry: unknown; nonce: string; statement: unknown } | null {
  const line = /^extra (.*)$/m.exec(proof.split("\n\n")[0] ?? "")?.[1];
  return line === undefined ? null : JSON.parse(Buffer.from(line, "base64").toString());
}

/** RFC 6962, 2.1.2: the proof that a list of entries begins with its first m. */
export function consistencyPath(m: number, entries: readonly Uint8Array[], isWhole = true): Buffer[] {
  const n = entries.length;
  if (m === 0) return [];
  if (m === n) return isWhole ? [] : [treeHash(entries)];
  let k = 1;
  while (2 * k < n) k = 2 * k;
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m <= k
    ? [...consistencyPath(m, left, isWhole), treeHash(right)]
    : [...consistencyPath(m - k, right, false), treeHash(left)];
}

/** The seconds since 1970 as of which a witness cosigned a checkpoint (c2sp.org/tlog-cosignature, Ed25519); throws where it did not. */
export function verifyCosignature(note: string, vkey: string): number {
  const [name = "", id = "", ...coded] = vkey.split("+");
  const typed = Buffer.from(coded.join("+"), "base64");
  if (typed[0] !== 4 || typed.length !== 33) throw new Error("the key is not of a cosigner");
  if (sha256(name, "\n", typed).toString("hex").slice(0, 8) !== id)
    throw new Error("the id is another key's");
  const jwk = { kty: "OKP", crv: "Ed25519", x: typed.subarray(1).toString("base64url") };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const at = note.indexOf("\n\n");
  for (const line of note.slice(at + 2).split("\n")) {
    const bytes = Buffer.from(line.split(" ")[2] ?? "", "base64");
    if (!line.startsWith(`\u2014 ${name} `) || bytes.toString("hex", 0, 4) !== id) continue;
    const seconds = bytes.readBigUInt64BE(4);
    const message = `cosignature/v1\ntime ${seconds}\n${note.slice(0, at + 1)}`;
    if (bytes.length === 76 && verify(null, Buffer.from(message), key, bytes.subarray(12)))
      return Number(seconds);
    throw new Error("the cosignature is wrong");
  }
  throw new Error("the witness did not cosign");
}
