import { createPrivateKey, createPublicKey, hash, sign, verify } from "node:crypto";

/** The type of a key in its texts: Ed25519. */
export const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const PRIVATE = "PRIVATE+KEY+";
/** More lines than a note of any log has. */
const MOST_SIGNATURES = 64;
/** What Node reads a raw key as: the start of its DER form (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NAME = /^[^\s+]+$/u;
const SIGNATURE = /^\u2014 ([^\s+]+) (\S+)$/u;

/** Who signs a note. */
export type Signer = ReturnType<typeof openSigner>;

/** Whose signature is believed. */
export interface Verifier {
  name: string;
  id: Buffer;
  verify(text: string, signature: Buffer): boolean;
}

/** A key as a signer key holds it: the name that it was made for, and the 32 bytes that it follows from. */
export interface SignerKey {
  name: string;
  seed: Buffer;
}

/** Reads a signer key, `PRIVATE+KEY+<name>+<id>+<key>`; null for any other text. */
export function readSignerKey(text: string): SignerKey | null {
  if (!text.startsWith(PRIVATE)) return null;
  const [name = "", id, ...key] = text.slice(PRIVATE.length).split("+");
  const bytes = readBase64(key.join("+"));
  if (!NAME.test(name) || bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) return null;
  const seed = bytes.subarray(1);
  return openSigner(name, seed).id.toString("hex") === id ? { name, seed } : null;
}

/** Writes the signer key of a name and 32 secret bytes. */
export function writeSignerKey({ name, seed }: SignerKey): string {
  const id = openSigner(name, seed).id.toString("hex");
  return `${PRIVATE}${name}+${id}+${Buffer.concat([Buffer.of(ED25519), seed]).toString("base64")}`;
}

/** The signer of a name with the key that follows from 32 secret bytes; a type says what the key signs. */
export function openSigner(name: string, seed: Buffer, type = ED25519) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(SPKI.length);
  const typed = Buffer.concat([Buffer.of(type), publicKey]);
  const id = toKeyId(name, typed);
  return {
    name,
    id,
    /** The public key in the form that verifiers take. */
    vkey: `${name}+${id.toString("hex")}+${typed.toString("base64")}`,
    sign: (text: string) => sign(null, Buffer.from(text), key),
  };
}

/** Reads a verifier key of a type, `<name>+<id>+<key>`; null for any other text. */
export function readVerifier(vkey: string, type = ED25519): Verifier | null {
  const [name = "", id, ...rest] = vkey.split("+");
  const typed = readBase64(rest.join("+"));
  if (!NAME.test(name) || typed?.length !== 1 + KEY_BYTES || typed[0] !== type) return null;
  const found = toKeyId(name, typed);
  if (found.toString("hex") !== id) return null;
  const spki = Buffer.concat([SPKI, typed.subarray(1)]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  const isSigned = (text: string, signature: Buffer) =>
    signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key, signature);
  return { name, id: found, verify: isSigned };
}

/** What signs, of a verifier key: its name is no part of what is signed, so one key may have several. */
export function publicKeyOf(vkey: string): string {
  return vkey.split("+").slice(2).join("+");
}

/** A note: the text with its line end, a blank line, and a line for each signer. */
export function writeNote(text: string, signers: readonly Signer[]): string {
  return `${text}\n${signers.map((signer) => writeSignature(signer, signer.sign(text))).join("")}`;
}

/** The line of a signature. */
export function writeSignature({ name, id }: Pick<Signer, "name" | "id">, signature: Buffer): string {
  return `\u2014 ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;
}

/** A signature of a note, by its key's name and id. */
export interface NoteSignature {
  name: string;
  id: Buffer;
  signature: Buffer;
}

/** Reads a note without looking at its signatures; null for any other text. */
export function readNote(note: string): { text: string; signatures: NoteSignature[] } | null {
  const at = note.lastIndexOf("\n\n");
  if (at < 0 || hasControls(note) || !note.endsWith("\n")) return null;
  const lines = note.slice(at + 2, -1).split("\n");
  if (lines.length > MOST_SIGNATURES) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, text = ""] = SIGNATURE.exec(line) ?? [];
    const bytes = readBase64(text);
    if (name === undefined || bytes === null || bytes.length <= ID_BYTES) return null;
    signatures.push({ name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) });
  }
  return { text: note.slice(0, at + 1), signatures };
}

/**
 * The text of a note that a known key signed. Null where none did, and where the line of a known key is wrong: lines of
 * unknown keys are passed over.
 */
export function verifyNote(note: string, known: readonly Verifier[]): string | null {
  const read = readNote(note);
  if (read === null) return null;
  let isSigned = false;
  for (const { name, id, signature } of read.signatures) {
    const verifier = known.find((one) => one.name === name && one.id.equals(id));
    if (verifier === undefined) continue;
    if (!verifier.verify(read.text, signature)) return null;
    isSigned = true;
  }
  return isSigned ? read.text : null;
}

/** Bytes in standard Base 64; null for any other text. */
export function readBase64(text: string): Buffer | null {
  return BASE64.test(text) ? Buffer.from(text, "base64") : null;
}

function toKeyId(name: string, typedKey: Buffer): Buffer {
  return hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typedKey]), "buffer").subarray(0, ID_BYTES);
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 && code !== 10) return true;
  }
  return false;
}
