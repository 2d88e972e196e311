import type { FastifyRequest } from "fastify";
import { type DisclosedFile, getOpenFile } from "../../shared/assets/public-files.ts";
import type { Deps } from "../../shared/deps.ts";
import type { CountedRead } from "../../shared/reads/tally.ts";

/** The read of one open work in a form. */
export function readOf(creation: { id: string }, form: CountedRead["form"]): CountedRead {
  return { creationIds: [creation.id], form };
}

/** A file that readers may fetch now; the answer to the request counts as a read of the works that publish it. */
export async function openFileToRead(
  deps: Deps,
  request: FastifyRequest,
  assetId: string | undefined,
  form: "rows" | "download",
): Promise<DisclosedFile> {
  const file = await getOpenFile(deps, assetId ?? "");
  request.countedRead = { creationIds: file.creation_ids, form };
  return file;
}
