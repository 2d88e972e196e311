import type { PageSubject } from "../../shared/readers/page-cache.ts";
import type { Door } from "./context.ts";
import type { FinishedAnswer } from "./response.ts";

/**
 * Reads an answer from those that this process keeps, or makes it; without a subject it is made in any case. Null where
 * its route has sent it itself, which nothing of a subject does.
 */
export async function readFinished<Answer extends FinishedAnswer | null>(
  door: Door,
  subject: PageSubject | null,
  name: string,
  make: (door: Door) => Promise<Answer>,
): Promise<Answer | FinishedAnswer> {
  if (subject === null) return await make(door);
  return await door.finished.read(subject, name, async () => {
    let isWhole = true;
    const onMissingPart = () => {
      isWhole = false;
    };
    const page = await make({ ...door, onMissingPart });
    if (page === null) throw new Error("an answer that is kept was sent by its route itself");
    return { page, isWhole };
  });
}
