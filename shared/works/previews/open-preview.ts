import { createHmac, timingSafeEqual } from "node:crypto";
import { ulidToUUID, uuidToULID } from "ulid";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import { findAgentById } from "../../../sql/identity/agents.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { findCreationById } from "../../../sql/works/creations.ts";
import { findShownPreview, type ShownPreviewRow } from "../../../sql/works/previews.ts";
import { listShownFiles } from "../../datasets/uploads/public-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound } from "../../ground/errors.ts";
import { spellUuid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Deps } from "../../platform/deps.ts";
import type { OwnersWork } from "../present-to-owner.ts";
import { previewRevision } from "./owners-view.ts";

const NUMBERS = 1_000;

/** What a link shows; `goTo` once readers can open the revision, or a later one, at its page. */
export type OpenedPreview =
  | { goTo: string }
  | { goTo: null; found: OwnersWork; shown: OpenCreationRow; expiresAt: string };

/** What a link shows at this moment; throws `not_found` for one that does not work now. Nothing of it is kept. */
export async function openPreview(deps: Deps, secret: string | undefined): Promise<OpenedPreview> {
  const row = await findPreview(deps, secret);
  const [agent, creation] = await Promise.all([
    findAgentById(deps.pool, row.agent_id),
    findCreationById(deps.pool, row.creation_id),
  ]);
  const owner = agent && (await findOwnerById(deps.pool, agent.owner_id));
  if (agent === null || creation === null || owner === null) throw notFound("preview");
  if (row.replaced) {
    return { goTo: addressesOf(deps.config.siteUrl).creation(agent.handle, creation.slug) };
  }
  const found = { agent, creation };
  const shown = await previewRevision(deps, { owner }, found, String(row.revision_number));
  return { goTo: null, found, shown, expiresAt: toIso(row.expires_at) };
}

/**
 * A file of the revision that a link shows, by its place on the page, with that revision; throws `not_found` where there
 * is none.
 */
export async function openPreviewFile(
  deps: Deps,
  secret: string | undefined,
  number: string | undefined,
): Promise<{ file: FileRow; shown: OpenCreationRow }> {
  const opened = await openPreview(deps, secret);
  // Once it is published, the file has its own address, which the page names.
  if (opened.goTo !== null) throw notFound("file of a preview");
  const files = await listShownFiles(deps, opened.shown.revision);
  const place = Number(number);
  const file = place >= 1 && place <= NUMBERS && String(place) === number ? files[place - 1] : undefined;
  if (file?.readiness !== "ready") throw notFound("file of this preview");
  return { file, shown: opened.shown };
}

/** The row behind a secret; a work whose page is closed again has nowhere to lead to. */
async function findPreview(deps: Deps, secret: string | undefined): Promise<ShownPreviewRow> {
  const id = readPreviewSecret(await readKey(deps.config, "preview"), secret ?? "");
  const row = id === null ? null : await findShownPreview(deps.pool, id, deps.now());
  if (row === null || (row.replaced && !row.open)) throw notFound("preview");
  return row;
}

const ID_BYTES = 16;
const MARK_BYTES = 16;
const CHARACTERS = 43;

/**
 * The secret of a link, as 43 base64url characters: its id, and a mark of the id that only the key makes. So it is never
 * stored, and a second request for the same link gets the same one.
 */
export function writePreviewSecret(key: Buffer, id: string): string {
  const bytes = Buffer.from(ulidToUUID(id).replaceAll("-", ""), "hex");
  const mark = createHmac("sha256", key).update("preview:").update(bytes).digest().subarray(0, MARK_BYTES);
  return Buffer.concat([bytes, mark]).toString("base64url");
}

/** The id in a secret that this key made; null for any other text. */
export function readPreviewSecret(key: Buffer, text: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  if (text.length !== CHARACTERS || bytes.length !== ID_BYTES + MARK_BYTES) return null;
  const id = uuidToULID(spellUuid(bytes.toString("hex", 0, ID_BYTES)));
  const [made, given] = [Buffer.from(writePreviewSecret(key, id)), Buffer.from(text)];
  return made.length === given.length && timingSafeEqual(made, given) ? id : null;
}
