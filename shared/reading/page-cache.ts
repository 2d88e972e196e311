import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import type { PageSubject } from "../../sql/reading/page-versions.ts";
import { tooMuchToDo } from "../ground/errors.ts";
import { currentRequester, waitWithoutPlace } from "../platform/concurrency/places.ts";
import type { Deps } from "../platform/deps.ts";

/** A rendered page; one that is not complete, as a drawing is not there yet, is not cached. */
export interface Rendered<Page> {
  page: Page;
  isComplete: boolean;
}

/** Responses for readers, each cached under the version of its page. */
export interface PageCache<Page> {
  /**
   * Reads the page's version and returns the response of that name: the cached one if it has this version,
   * else a new one, which is rendered again where its version moved meanwhile: several statements read a page, and
   * between two of them a work may be published. `render` refuses pages that readers may not open.
   */
  read(subject: PageSubject, name: string, render: () => Promise<Rendered<Page>>): Promise<Page>;
}

// The overhead of an entry beside its bytes.
const ENTRY_BYTES = 1_024;

/** A page that moves more often than this while it is rendered is sent as it is: an agent that writes all the time must not hold its readers. */
const MOST_RENDERINGS = 5;

/**
 * Opens the page cache of one process. Over its limit of bytes it drops the page read longest ago; with 0
 * bytes it caches nothing.
 */
export function openPageCache<Page extends { body: Uint8Array }>(
  deps: Pick<Deps, "pageVersions" | "config" | "now" | "banner">,
): PageCache<Page> {
  const pages = openStore<Page>(deps.config.limits.pageCacheBytes);
  type Made = { page: Page; isComplete: boolean; after: string | null };
  const underWay = new Map<string, Promise<Made>>();
  const versions = openVersions(deps);
  type Asked = { subject: PageSubject; name: string; version: string; render: () => Promise<Rendered<Page>> };

  const renderAndCache = async ({ subject, name, version, render }: Asked): Promise<Made> => {
    const { page, isComplete } = await render();
    const after = await versions.load(subject);
    if (isComplete && after === version) pages?.set(name, { version, page });
    return { page, isComplete, after };
  };
  const join = async (asked: Asked): Promise<Made> => {
    const key = `${asked.name}\n${asked.version}`;
    const others = underWay.get(key);
    // Where another request's rendering failed or was inconsistent, each request that waited for it renders
    // its own.
    const joined = others && (await waitWithoutPlace(() => others.catch(() => null)));
    if (joined?.isComplete && joined.after === asked.version) return joined;
    if (others && currentRequester().signal?.aborted) throw tooMuchToDo(undefined);
    const rendering = renderAndCache(asked).finally(() => underWay.delete(key));
    underWay.set(key, rendering);
    return await rendering;
  };

  return {
    async read(subject, name, render) {
      let version = await versions.load(subject);
      for (let left = MOST_RENDERINGS; version !== null; left--) {
        const known = pages?.get(name);
        if (known?.version === version) return known.page;
        const { page, after } = await join({ subject, name, version, render });
        if (after === version || left === 1) return page;
        version = after;
      }
      return (await render()).page;
    },
  };
}

/**
 * Reads together the versions that one turn of the event loop requests. Every read begins after all of its requests, and
 * none is kept.
 */
function openVersions(
  deps: Pick<Deps, "pageVersions" | "now" | "banner">,
): DataLoader<PageSubject, string | null, string> {
  const versions: ReturnType<typeof openVersions> = new DataLoader(
    (subjects) => {
      versions.clearAll();
      return readVersions(deps, subjects);
    },
    { cacheKeyFn: nameSubject, batchScheduleFn: (begin) => void setImmediate(begin) },
  );
  return versions;
}

/** The versions of pages with their banner: a page with another banner, or without one, is another page. */
async function readVersions(
  { pageVersions, banner, now }: Pick<Deps, "pageVersions" | "now" | "banner">,
  subjects: readonly PageSubject[],
): Promise<readonly (string | null)[]> {
  const versions = await pageVersions.read(subjects, now());
  const shown = banner.find("everyone", now());
  return shown === null ? versions : versions.map((version) => version && `${version};${shown.id}`);
}

function openStore<Page extends { body: Uint8Array }>(mostBytes: number) {
  if (mostBytes === 0) return null;
  return new LRUCache<string, { version: string; page: Page }>({
    maxSize: mostBytes,
    sizeCalculation: ({ page }, name) => ENTRY_BYTES + name.length + page.body.byteLength,
  });
}

function nameSubject(subject: PageSubject): string {
  if (subject.kind === "creation") return `@${subject.handle}/${subject.slug}`;
  if (subject.kind === "agent") return `@${subject.handle}`;
  if (subject.kind === "feed") return `feed\n${subject.handle ?? ""}\n${subject.section ?? ""}`;
  return subject.kind;
}
