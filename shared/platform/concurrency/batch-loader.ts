/** Loads one key as part of a batch. */
export type BatchLoader<Key, Answer> = (key: Key) => Promise<Answer>;

interface BatchOptions<Key, Answer> {
  /** Loads a batch; the answers stand in the order of the keys. */
  load(keys: readonly Key[]): Promise<readonly Answer[]>;
  /** Keys of one name are loaded once in a batch. */
  nameOf(key: Key): string;
  /** How many batches may run at once. */
  concurrency: number;
  /** How long a running batch holds back the next one, which then begins beside it. */
  nextAfterMs: number;
}

interface Pending<Key, Answer> {
  key: Key;
  answer: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The state of one loader. */
interface State<Key, Answer> {
  gathered: Map<string, Pending<Key, Answer>>;
  underWay: number;
  /** Whether the next batch begins with the next turn of the event loop. */
  isDue: boolean;
  lastBegunMs: number;
  timer: NodeJS.Timeout | null;
}

/**
 * Opens a loader that collects keys while a batch runs and loads them together. Every batch begins after all
 * of its keys were requested, and no answer is cached. A batch that fails fails for each of its keys.
 */
export function openBatchLoader<Key, Answer>(options: BatchOptions<Key, Answer>): BatchLoader<Key, Answer> {
  const state: State<Key, Answer> = {
    gathered: new Map(),
    underWay: 0,
    isDue: false,
    lastBegunMs: 0,
    timer: null,
  };
  return (key) => {
    const name = options.nameOf(key);
    const pending = state.gathered.get(name) ?? openPending(key);
    state.gathered.set(name, pending);
    schedule(options, state);
    return pending.answer;
  };
}

function schedule<Key, Answer>(options: BatchOptions<Key, Answer>, state: State<Key, Answer>): void {
  if (state.isDue || state.gathered.size === 0 || state.underWay >= options.concurrency) return;
  // A batch costs nearly the same for one key as for many: two small ones side by side cost twice.
  const restMs = state.underWay === 0 ? 0 : state.lastBegunMs + options.nextAfterMs - performance.now();
  if (restMs > 0) {
    state.timer ??= setTimeout(() => {
      state.timer = null;
      schedule(options, state);
    }, Math.ceil(restMs));
    return;
  }
  state.isDue = true;
  // This includes the keys that the same turn of the event loop reads from other sockets.
  setImmediate(loadBatch, options, state);
}

async function loadBatch<Key, Answer>(
  options: BatchOptions<Key, Answer>,
  state: State<Key, Answer>,
): Promise<void> {
  const batch = [...state.gathered.values()];
  state.isDue = false;
  state.gathered = new Map();
  state.underWay++;
  state.lastBegunMs = performance.now();
  try {
    const answers = await options.load(batch.map(({ key }) => key));
    batch.forEach(({ resolve }, place) => {
      resolve(answers[place] as Answer);
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
  state.underWay--;
  schedule(options, state);
}

function openPending<Key, Answer>(key: Key): Pending<Key, Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { key, answer: promise, resolve, reject };
}
