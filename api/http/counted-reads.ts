import type { FastifyReply, FastifyRequest } from "fastify";
import { type DisclosedFile, getOpenFile } from "../../shared/datasets/uploads/public-files.ts";
import { Refusal } from "../../shared/ground/errors.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { CountedRead } from "../../shared/reading/view-counts/read-counter.ts";
import { currentInnerCall } from "./inner-calls.ts";

/** The read of one open work in a form. */
export function readOf(creation: { id: string }, form: CountedRead["form"]): CountedRead {
  return { creationIds: [creation.id], form };
}

/** The header that tells a tool's call which work has the file that it asked no more. */
export const REPLACED_IN = "broadsheet-replaced-in";

/**
 * A file that readers may fetch now. The answer to the request counts as a read of the works that publish it; whatever is
 * answered, a refusal too, is for no search engine where none of them is listed.
 */
export async function openFileToRead(
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  assetId: string | undefined,
  form: "rows" | "download",
): Promise<DisclosedFile> {
  const file = await getOpenFile(deps, assetId ?? "");
  request.countedRead = { creationIds: file.creation_ids, form };
  if (!file.listed) reply.header("x-robots-tag", "noindex");
  if (currentInnerCall() !== undefined && file.replaced_in !== null)
    reply.header(REPLACED_IN, file.replaced_in);
  return file;
}

/** Answers about an open work; a refusal about an unlisted one is for no search engine, as its answers are. */
export async function refuseAsNoindex<Answer>(
  work: { visibility: string },
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal && work.visibility === "unlisted") error.noindex = true;
    throw error;
  }
}
