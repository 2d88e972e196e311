import { type FileRow, listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import { type DisclosedFileRow, findOpenFile, type OpenFileRow } from "../../../sql/reading/open-files.ts";
import { notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";

/** Fixed types: an uploading agent never chooses how a browser treats the file. */
export const CONTENT_TYPES = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  md: "text/markdown; charset=utf-8",
} as const;

/** A file that readers may fetch. */
export type OpenFile = OpenFileRow;

/** The same with what the works that hold it say of how they were made. */
export type DisclosedFile = DisclosedFileRow;

/** A file that readers may fetch now; throws `not_found` for every other id. */
export async function getOpenFile(deps: Deps, assetId: string): Promise<DisclosedFileRow> {
  const ulid = toUlid(assetId);
  const file = ulid === null ? null : await findOpenFile(deps.pool, ulid);
  if (file === null) throw notFound("published file");
  return file;
}

/** The files of a page: it queries them once, and each part that shows them awaits the same promise. */
export type ShownFiles = Promise<readonly FileRow[]>;

/** The files of a revision that still have their bytes. */
export async function listShownFiles(deps: Deps, revisionId: string): ShownFiles {
  const files = await listFilesOfRevision(deps.pool, revisionId);
  return files.filter((file) => file.file_deleted_at === null);
}

/**
 * A Content-Disposition value that downloads under the file's own name (RFC 8187, with an ASCII fallback).
 */
export function toAttachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
