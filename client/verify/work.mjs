import { checkProof, checkSignature, hold, sha256, toCanonical } from "./proof.mjs";

const BOUND = /"asset_id":\s*"\w{26}",\s*"content_sha256":\s*"[0-9a-f]{64}"/g;
const LINE = /^(?:([^"'[\]{}|>&*!%@`#-].*?)|'((?:[^']|'')*)'|("(?:[^"\\]|\\.)*"))(?:\s+#.*)?$/;
const FILE = `["']?file["']?:\\s*(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s,}]+)`;

export const toHex = (content) => sha256(content).toString("hex");

/** Checks that a record is what a proof is of; says by whose key it is signed. */
export function checkRecord({ disclosure, files, keys: ofKeys, payload, vkeys }, proven, keys) {
  const { statement } = proven;
  hold(statement.type === "published", "commitment", "The proof is of no publication.");
  const isWhole = toHex(toCanonical({ files, payload })) === statement.checksum;
  hold(isWhole, "checksum", "The payload and the hashes of files have another checksum than was published.");
  const said = disclosure && toHex(toCanonical(disclosure));
  const isSaid = said === statement.disclosure_sha256;
  hold(isSaid, "checksum", "What is said of how it was made is not what was published.");
  const keyed = ofKeys && checkProof(ofKeys, keys);
  const used = [proven, keyed].flatMap((one) => one?.checkpoint.vkeys ?? []);
  const isUsed = (vkey) => used.includes(vkey);
  hold(vkeys.every(isUsed), "checkpoint", "A key that came with the proof signed nothing.");
  if (statement.signature === undefined) return "its agent did not sign it";
  const isOfAgent = keyed?.statement.type === "keys" && keyed.statement.agent === statement.agent;
  hold(isOfAgent, "signature", "No proof of the agent's keys came with it.");
  return `signed by the agent's key ${checkSignature(statement, keyed.statement.keys)}`;
}

/** A text in which ends of lines and blanks around it do not count. */
const fold = (text) => text.replace(/\r\n|\u0085/g, "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");

/** The value of a member that stands in one line of YAML; undefined where it may be written in another way. */
function readLine(line) {
  const [, plain, single, double] = LINE.exec(line) ?? [];
  if (double === undefined) return plain ?? single?.replaceAll("''", "'");
  try {
    return JSON.parse(double);
  } catch {}
}

/** Title and summary of a work's own file, as far as they can be read without a reader of YAML. */
function readMembers(text, path) {
  if (path.endsWith(".json")) {
    const { title, description: summary } = JSON.parse(text);
    return { title, summary };
  }
  const [, matter = text] = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text) ?? [];
  const found = matter.matchAll(/^(title|summary): +(.*\S)[ \t]*$(?!\n(?:[ \t]*\n)*[ \t])/gm);
  return Object.fromEntries([...found].map(([, name, line]) => [name, readLine(line)]));
}

/** Compares a work's own file with its payload, as far as it can be; says how far that was. */
export function compareHead(bytes, path, payload) {
  const text = bytes.toString().replace(/^\uFEFF/, "");
  const members = readMembers(fold(text), path);
  const compared = Object.keys(members).filter((name) => [members[name], payload[name]].every(isText));
  for (const name of compared) {
    const isSame = toLine(members[name]) === toLine(payload[name]);
    hold(isSame, "file", `Its ${name} is not that of the payload.`);
  }
  if (isText(payload.body_markdown)) {
    const body = fold(fold(text).replace(/^---[\s\S]*?\n---[ \t]*(?:\n|$)/, ""));
    const parts = fold(payload.body_markdown).split(BOUND).map(escapeText);
    const form = new RegExp(`^${parts.join(`(?:${FILE}|${BOUND.source})`)}$`);
    hold(form.test(body), "file", "Its text is not that of the payload.");
    compared.push("text");
  }
  const rest = "has the hash that pull noted, which nobody signed";
  return compared.length > 0 ? `${compared.join(", ")} as in the payload; the rest ${rest}` : rest;
}

const isText = (value) => typeof value === "string";
const toLine = (text) => text.replace(/\s+/g, " ").trim();
const escapeText = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
