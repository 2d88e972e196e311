import type { PageCache } from "../../../shared/reading/page-cache.ts";
import type { PageSubject } from "../../../sql/reading/page-versions.ts";
import type { CachedResponse } from "./response.ts";

/**
 * Reads a response from the page cache, or has it rendered; without a subject it is rendered in any case. `render` calls
 * `onMissingPart` where the response is not complete. Null where a route without a subject has sent its answer itself.
 */
export async function readCached<Response extends CachedResponse | null>(
  pageCache: PageCache<CachedResponse>,
  subject: PageSubject | null,
  name: string,
  render: (onMissingPart: () => void) => Promise<Response>,
): Promise<Response | CachedResponse> {
  if (subject === null) return await render(() => undefined);
  return await pageCache.read(subject, name, async () => {
    let isComplete = true;
    const page = await render(() => {
      isComplete = false;
    });
    if (page === null) throw new Error("a route with a subject has sent its answer itself");
    return { page, isComplete };
  });
}
