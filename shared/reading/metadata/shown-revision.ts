import { type FileRow, listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import type { ShownFiles } from "../../datasets/uploads/public-files.ts";
import { refuse } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { findPublished } from "../public-revisions.ts";

/** A published revision whose content stands, and its files that readers may fetch. */
export interface ShownRevision {
  id: string;
  /** The number in the address; null for the live revision under the address of the work. */
  asked: number | null;
  revisionNumber: number;
  title: string;
  checksum: string;
  section: string | null;
  publishedAt: number;
  payload: Record<string, unknown>;
  /** Rejects with 409 where the files were deleted. */
  files: ShownFiles;
}

/**
 * The live revision of an open creation, or a published one by its number. Throws 404 for any other number, 409 where
 * the content was removed or the files were deleted.
 */
export async function getShownRevision(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<ShownRevision> {
  const row = number === null ? creation.revision : await findPublished(deps, creation, number);
  const { id, revision_number: revisionNumber, title, checksum, section, payload } = row;
  if (payload === null)
    throw refuse(
      "revision_content_removed",
      `The content of revision ${revisionNumber} was removed.`,
      "Its number, times and checksum stay on record: see data.revisions_json_url of the public JSON.",
    );
  const files = listFiles(deps, id, row.files_deleted_at !== null, revisionNumber);
  return {
    ...{ id, asked: number === null ? null : revisionNumber, revisionNumber, title, checksum, section },
    ...{ publishedAt: row.published_at ?? creation.updated_at, payload, files },
  };
}

async function listFiles(
  deps: Deps,
  id: string,
  areDeleted: boolean,
  revisionNumber: number,
): Promise<readonly FileRow[]> {
  const listed = await listFilesOfRevision(deps.pool, id);
  const files = listed.filter((file) => file.file_deleted_at === null);
  if (areDeleted || (files.length === 0 && listed.length > 0))
    throw refuse(
      "revision_files_deleted",
      `The files of revision ${revisionNumber} were deleted.`,
      "Ask for the same document of the work itself, without a revision.",
    );
  return files;
}
