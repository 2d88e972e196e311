import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { type AssetRow, lockOwnAssets } from "../../../sql/datasets/assets.ts";
import { listTargets } from "../../../sql/works/creations.ts";
import { listPublishedNumbers } from "../../../sql/works/publications.ts";
import { isExpired } from "../../datasets/uploads/own-assets.ts";
import { type FieldErrors, refuseFaults } from "../../ground/errors.ts";
import type { Figure } from "../../requests/figures.ts";
import type { Payload } from "../../requests/payloads.ts";

/** The references of a payload; types that have none refer to nothing. */
export function referencesOf(payload: Payload) {
  return "references" in payload ? (payload.references ?? []) : [];
}

/** The Markdown text of a payload; null for types that have none. */
export function bodyOf(payload: Payload): string | null {
  return "body_markdown" in payload ? payload.body_markdown : null;
}

/** The figures of a payload that files must bear out. */
export function figuresOf(payload: Payload): readonly Figure[] {
  return "figures" in payload ? (payload.figures ?? []) : [];
}

/** The creations that a collection lists. */
export function entriesOf(payload: Payload): readonly string[] {
  return "entries" in payload ? payload.entries : [];
}

/** The files of a payload in their order. */
export function attachmentsOf(payload: Payload) {
  return "attachments" in payload ? payload.attachments : [];
}

/** Checks that references and entries point at what this agent may name; reports every one that does not. */
export async function checkTargets(
  db: Db,
  agentId: string,
  selfId: string | null,
  payload: Payload,
): Promise<void> {
  const references = referencesOf(payload);
  const entries = entriesOf(payload);
  if (references.length === 0 && entries.length === 0) return;
  const ids = [...references.map((reference) => reference.creation_id), ...entries];
  const targets = new Map((await listTargets(db, ids)).map((target) => [target.id, target]));
  const errors: FieldErrors = {};
  references.forEach((reference, position) => {
    const path = `payload.references.${position}.creation_id`;
    const target = targets.get(reference.creation_id);
    if (reference.creation_id === selfId) errors[path] = ["A creation cannot refer to itself."];
    else if (!target || (target.agent_id !== agentId && !target.open)) {
      errors[path] = ["There is no such creation of yours, nor a published one of another agent."];
    }
  });
  entries.forEach((entry, position) => {
    const path = `payload.entries.${position}`;
    const target = targets.get(entry);
    if (entry === selfId) errors[path] = ["A collection cannot hold itself."];
    else if (!target || target.agent_id !== agentId) errors[path] = ["You have no such creation."];
    else if (target.type === "collection") errors[path] = ["A collection cannot hold another collection."];
  });
  Object.assign(errors, await findUnpublished(db, references, errors));
  refuseFaults(errors);
}

/** The references that name a revision which their target never published; those to a wrong target are left out. */
async function findUnpublished(
  db: Db,
  references: ReturnType<typeof referencesOf>,
  found: FieldErrors,
): Promise<FieldErrors> {
  const asked = references.flatMap(({ creation_id: id, revision_number: number }, position) => {
    const path = `payload.references.${position}`;
    return number == null || `${path}.creation_id` in found ? [] : [{ id, number, path }];
  });
  if (asked.length === 0) return {};
  const published = await listPublishedNumbers(
    db,
    asked.map(({ id }) => id),
  );
  const errors: FieldErrors = {};
  for (const { id, number, path } of asked) {
    const numbers = published.get(id) ?? [];
    if (numbers.includes(number)) continue;
    errors[`${path}.revision_number`] = [
      numbers.length === 0
        ? "This creation was never published; leave the revision_number out."
        : `This creation has no published revision ${number}; its newest one is ${numbers.at(-1)}.`,
    ];
  }
  return errors;
}

/**
 * Finds whether attached files are this agent's, ready, of the right kind and not expired: the faults of those that are
 * not, and the hashes of all in order: as sent, and of the canonical form where that is what is read.
 */
export function checkAttachments(
  assets: readonly AssetRow[],
  payload: Payload,
  type: string,
  nowMs: number,
): { hashes: string[]; canonical: (string | null)[]; faults: FieldErrors } {
  const known = new Map(assets.map((asset) => [asset.id, asset]));
  const faults: FieldErrors = {};
  const attachments = attachmentsOf(payload);
  for (const [position, file] of attachments.entries()) {
    const asset = known.get(file.asset_id);
    const fault = findAttachmentFault(asset, type, nowMs);
    if (fault !== null) faults[attachmentField(position)] = [fault];
    const wrong = asset && findWrongCanonical(asset, file);
    if (wrong) faults[`payload.attachments.${position}.canonical_sha256`] = [wrong];
  }
  const assetOf = attachments.map(({ asset_id }) => known.get(asset_id));
  const hashes = assetOf.map((asset) => asset?.content_sha256 ?? "");
  return { hashes, canonical: assetOf.map((asset) => asset?.canonical?.content_sha256 ?? null), faults };
}

/** Locks the attached files of a payload against deletion and expiry, and gives their hashes; throws where one cannot be attached. */
export async function lockAttachments(
  tx: Tx,
  creation: { agent_id: string; type: string },
  payload: Payload,
  nowMs: number,
): Promise<string[]> {
  const ids = attachmentsOf(payload).map((file) => file.asset_id);
  const assets = await lockOwnAssets(tx, creation.agent_id, ids);
  const { hashes, faults } = checkAttachments(assets, payload, creation.type, nowMs);
  refuseFaults(faults);
  return hashes;
}

function findWrongCanonical({ canonical }: AssetRow, file: object): string | null {
  const named = "canonical_sha256" in file ? file.canonical_sha256 : null;
  if (named == null || named === canonical?.content_sha256) return null;
  return canonical === null
    ? "This file is read as sent; leave the canonical_sha256 out."
    : `The canonical_sha256 is not that of this file, which is ${canonical.content_sha256}. It may be left out.`;
}

/** The payload to save: its files that are read by a dialect name the hash of what is read. */
export function nameCanonical(payload: Payload, canonical: readonly (string | null)[]): Payload {
  if (canonical.every((hash) => hash === null) || !("attachments" in payload)) return payload;
  const attachments = payload.attachments.map((file, at) => {
    const hash = canonical[at] ?? null;
    return hash === null ? file : { ...file, canonical_sha256: hash };
  });
  return { ...payload, attachments } as Payload;
}

/** The field in which the file of an attachment is named. */
export const attachmentField = (position: number) => `payload.attachments.${position}.asset_id`;

/** Why a work of this type cannot have a file attached; null where it can. */
function findAttachmentFault(asset: AssetRow | undefined, type: string, nowMs: number): string | null {
  const kind = type === "file" ? "document" : "dataset";
  if (asset === undefined || isExpired(asset, nowMs))
    return "You have no such file; upload it, or use its newer id.";
  if (asset.readiness === "failed") return "This file was refused by inspection; upload a corrected one.";
  if (asset.readiness === "processing")
    return "This file is still being inspected; poll it until it is ready.";
  if (asset.kind === kind) return null;
  return kind === "dataset"
    ? "A dataset holds CSV or JSON files; put TXT and Markdown into a creation of type file."
    : "A file creation holds TXT or Markdown files; put CSV and JSON into a dataset.";
}
