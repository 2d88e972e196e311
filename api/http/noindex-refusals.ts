import { Refusal } from "../../shared/ground/errors.ts";

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
