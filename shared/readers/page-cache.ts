import { LRUCache } from "lru-cache";
import type { PageSubject } from "../../sql/readers/page-versions.ts";
import { openBatchLoader } from "../concurrency/batch-loader.ts";
import type { Deps } from "../deps.ts";

/** What a page is about, and so what it depends on. */
export type { PageSubject } from "../../sql/readers/page-versions.ts";

/** An answer as it was made; one that lacks something it should hold is not kept. */
export interface Made<Page> {
  page: Page;
  isWhole: boolean;
}

/** Finished answers for readers, each kept under the stamp of what it shows. */
export interface FinishedPages<Page> {
  /**
   * The answer of that name as it is now: the kept one while a look at the database, begun after this call, gives its
   * stamp; else made anew. `make` refuses what readers may not open.
   */
  read(subject: PageSubject, name: string, make: () => Promise<Made<Page>>): Promise<Page>;
  /** The kept answer of that name where it still shows what is, as by `read`; null where it has to be made. */
  findKept(subject: PageSubject, name: string): Promise<Page | null>;
  /** How many bytes are kept. */
  keptBytes(): number;
}

// While one batch is looked at the next one gathers; the second lets it begin where the first is slow.
const CONCURRENCY = 2;
const NEXT_AFTER_MS = 1;
// What an entry costs beside its bytes.
const ENTRY_BYTES = 1_024;

/** Opens the answers of one process: bounded by bytes, the ones read last stay. With 0 bytes nothing is kept. */
export function openFinishedPages<Page extends { body: Uint8Array }>(
  deps: Pick<Deps, "pageStates" | "config" | "now">,
): FinishedPages<Page> {
  const kept = openKept<Page>(deps.config.limits.pageCacheBytes);
  const underWay = new Map<string, Promise<{ page: Page; isSteady: boolean }>>();
  const look = openBatchLoader({
    load: (subjects: readonly PageSubject[]) => deps.pageStates.look(subjects, deps.now()),
    nameOf: nameSubject,
    concurrency: CONCURRENCY,
    nextAfterMs: NEXT_AFTER_MS,
  });
  type Asked = { subject: PageSubject; name: string; stamp: string; make: () => Promise<Made<Page>> };

  const makeAndKeep = async ({ subject, name, stamp, make }: Asked) => {
    const { page, isWhole } = await make();
    // It is made by several statements: only where nothing moved meanwhile does it show one moment.
    const isSteady = isWhole && (await look(subject)) === stamp;
    if (isSteady) kept?.set(name, { stamp, page });
    return { page, isSteady };
  };
  const join = async (asked: Asked): Promise<Page> => {
    const key = `${asked.name}\n${asked.stamp}`;
    const others = underWay.get(key);
    // Where another's making failed, or something moved meanwhile, each who waited for it makes its own.
    const joined = others && (await others.catch(() => null));
    if (joined?.isSteady) return joined.page;
    const making = makeAndKeep(asked).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return (await making).page;
  };

  const keptUnder = (name: string, stamp: string | null): Page | null => {
    const known = kept?.get(name);
    return stamp !== null && known?.stamp === stamp ? known.page : null;
  };

  return {
    findKept: async (subject, name) => (kept?.has(name) ? keptUnder(name, await look(subject)) : null),
    async read(subject, name, make) {
      const stamp = await look(subject);
      const known = keptUnder(name, stamp);
      if (known !== null) return known;
      if (stamp === null || kept === null) return (await make()).page;
      return await join({ subject, name, stamp, make });
    },
    keptBytes: () => kept?.calculatedSize ?? 0,
  };
}

function openKept<Page extends { body: Uint8Array }>(mostBytes: number) {
  if (mostBytes === 0) return null;
  return new LRUCache<string, { stamp: string; page: Page }>({
    maxSize: mostBytes,
    sizeCalculation: ({ page }, name) => ENTRY_BYTES + name.length + page.body.byteLength,
  });
}

function nameSubject(subject: PageSubject): string {
  if (subject.kind === "creation") return `@${subject.handle}/${subject.slug}`;
  return subject.kind === "agent" ? `@${subject.handle}` : "/";
}
