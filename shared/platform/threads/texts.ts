import { LRUCache } from "lru-cache";
import { sha256 } from "../../ground/checksum.ts";
import { isReadAtOnce, type ReadText, readText } from "../../text/markdown/read-text.ts";
import { type BodyTask, renderText } from "../../text/markdown/render-text.ts";
import { indexText, type WorkTexts } from "../../text/search/index-text.ts";
import { workFor } from "../concurrency/places.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openFairQueue, openPool, openRun, type ThreadsOptions } from "./pool.ts";

/** Long texts at once: while one is read for a save, another one is shown. */
const TURNS = { most: 2, mostOfKey: 2, mostWaitMs: 10_000 };
// Twenty times what the densest text takes on a free core: this ends only what nobody foresaw.
const TIMEOUT_MS = 10_000;
// Each takes up to half a megabyte.
const CACHED_TEXTS = 32;
/** The key of all who read pages, whose HTML is cached. */
const READERS = "readers";
const NEVER = new AbortController().signal;

/** Opens what is made of Markdown texts: of long ones in a thread, which starts with the first, of others at once. */
export function openTexts(options: Pick<ThreadsOptions, "filesUrl" | "memoryMb">) {
  const pool = openPool(options, { name: "texts", most: TURNS.most, niceness: 0 });
  const inTurn = openFairQueue(openRun(pool, TIMEOUT_MS), TURNS);
  const readers = { key: READERS, signal: NEVER };
  const cache = new LRUCache<string, ReadText>({ max: CACHED_TEXTS });
  const once = createSingleFlight<ReadText>();
  return {
    /** Reads a text of a work; what was read lately is cached. Whoever has a key of its own takes turns with the others. */
    async read(markdown: string, key = READERS) {
      if (isReadAtOnce(markdown)) return readText(markdown);
      const name = sha256(markdown);
      const known = cache.get(name);
      if (known !== undefined) return known;
      const read = await once(name, () =>
        workFor({ key, signal: NEVER }, () => inTurn("readInThread", () => ({ markdown }))),
      );
      cache.set(name, read);
      return read;
    },
    /** What search finds a work by. A transaction waits for it, so it is not refused. */
    index: async (work: WorkTexts) =>
      isReadAtOnce(work.markdown)
        ? indexText(work)
        : await workFor(readers, () => inTurn("indexInThread", () => work, true)),
    /** The HTML of a text. */
    render: async (task: BodyTask) =>
      isReadAtOnce(task.markdown)
        ? renderText(task)
        : await workFor(readers, () => inTurn("renderInThread", () => task)),
    /** Ends the threads; running tasks reject. */
    close: pool.close,
  };
}
