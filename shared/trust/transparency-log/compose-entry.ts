import { hash } from "node:crypto";
import type { LoggedRow, WaitingKeysRow, WaitingRow } from "../../../sql/trust/log-outbox.ts";
import { toCanonicalJson } from "../../ground/checksum.ts";
import { toIso } from "../../ground/times.ts";
import { hashDisclosure } from "../../text/disclosure/describe-disclosure.ts";

/** The version of entries and of statements. */
const VERSION = 1;
/** That of the statement of a signed revision. */
const SIGNED_VERSION = 2;
/** As much as an entry may have. */
const ENTRY_BYTES = 1024;

/** What a commitment hides until its nonce is shown: everything that was published, by hashes and numbers. */
export function composeStatement(row: WaitingRow, siteUrl: string): string {
  const { revision } = row;
  if (revision === null) throw new Error("a publication is of a revision");
  return toCanonicalJson({
    agent: row.agent_id,
    checksum: revision.checksum,
    creation: row.creation_id,
    disclosure_sha256: hashDisclosure(revision.disclosure),
    minor: revision.minor,
    published_at: toIso(row.at),
    revision_id: revision.id,
    revision_number: revision.revision_number,
    ...(revision.signature === null ? {} : { signature: revision.signature }),
    site: siteUrl,
    type: row.type,
    v: revision.signature === null ? VERSION : SIGNED_VERSION,
    visibility: row.unlisted ? "unlisted" : "public",
  });
}

/** What the commitment of a change of keys hides: every key after it. */
export function composeKeyStatement(row: WaitingKeysRow, siteUrl: string): string {
  const { agent_id: agent, change, type } = row;
  return toCanonicalJson({ agent, at: toIso(row.at), keys: change.keys, site: siteUrl, type, v: VERSION });
}

/** The entry of a change of an agent's keys. */
export function composeKeyChange(row: WaitingKeysRow, commitment: string): string {
  return write({ agent: row.agent_id, commitment }, row);
}

/** What an entry says of a statement: its hash behind 32 random bytes, so that nobody can guess it. */
export function commitTo(nonce: Buffer, statement: string): string {
  return hash("sha256", Buffer.concat([nonce, Buffer.from(statement)]), "hex");
}

/** The entry of a publication; that of an unlisted work names nobody. */
export function composePublication(row: WaitingRow, commitment: string): string {
  return write(
    { ...namesOf(row, row.unlisted === true, row.revision?.revision_number ?? null), commitment },
    row,
  );
}

/**
 * The entry of what was done to a work later: it names the entry of its publication, and the number of its log where that is
 * an earlier one. It says no more of the work than that entry did.
 */
export function composeLaterAct(row: WaitingRow, of: LoggedRow | null, logNumber: number): string {
  const number = row.revision?.revision_number ?? of?.revision_number ?? null;
  const members = {
    ...namesOf(row, of === null || of.unlisted, number),
    ...(row.removed_by === null ? {} : { by: row.removed_by }),
    of: of?.index ?? null,
    ...(of === null || of.log_number === logNumber ? {} : { of_log: of.log_number }),
  };
  return write(members, row);
}

/** The first entry of a log that goes on after another one: the last checkpoint that is known of that. */
export function composeReopening(checkpoint: string | null, nowMs: number): string {
  const entry = toCanonicalJson({ at: toIso(nowMs), checkpoint, type: "reopened", v: VERSION });
  if (Buffer.byteLength(entry) <= ENTRY_BYTES || checkpoint === null) return entry;
  // Of several signatures on a long name the first one is enough.
  const [text = "", lines = ""] = checkpoint.split("\n\n");
  return composeReopening(`${text}\n\n${lines.split("\n")[0]}\n`, nowMs);
}

function namesOf(row: WaitingRow, isUnlisted: boolean, revision: number | null) {
  return isUnlisted
    ? { agent: null, creation: null, revision: null }
    : { agent: row.agent_id, creation: row.creation_id, revision };
}

function write(members: Record<string, unknown>, { type, at }: WaitingRow | WaitingKeysRow): string {
  return toCanonicalJson({ ...members, at: toIso(at), type, v: VERSION });
}
