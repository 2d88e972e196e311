import type { PageSubject } from "../../shared/readers/page-cache.ts";
import type { RouteContext } from "./context.ts";
import type { CachedResponse } from "./response.ts";

/**
 * Reads an answer from those that this process keeps, or makes it; without a subject it is made in any case. Null where
 * its route has sent it itself, which nothing of a subject does.
 */
export async function readCached<Answer extends CachedResponse | null>(
  context: RouteContext,
  subject: PageSubject | null,
  name: string,
  render: (context: RouteContext) => Promise<Answer>,
): Promise<Answer | CachedResponse> {
  if (subject === null) return await render(context);
  return await context.pageCache.read(subject, name, async () => {
    let isComplete = true;
    const onMissingPart = () => {
      isComplete = false;
    };
    const page = await render({ ...context, onMissingPart });
    if (page === null) throw new Error("an answer that is cached was sent by its route itself");
    return { page, isComplete };
  });
}
