/**
 * Gathers what is asked while a look is under way, and asks for all of it together: one look at a time, and a second
 * one beside a look that has not come back within `patienceMs`, each begun after everything in it was asked, none
 * remembered. Keys of one name are looked at once. A look that fails fails for all in it.
 */
export function openBatchLoader<Key, Answer>(options: {
  look(keys: readonly Key[]): Promise<readonly Answer[]>;
  nameOf(key: Key): string;
  lanes: number;
  patienceMs: number;
}): (key: Key) => Promise<Answer> {
  const { lanes, patienceMs } = options;
  let waiting = new Map<string, Asked<Key, Answer>>();
  let underWay = 0;
  let isDue = false;
  let begunMs = 0;
  let alarm: NodeJS.Timeout | null = null;
  const begin = async () => {
    isDue = false;
    const batch = [...waiting.values()];
    waiting = new Map();
    underWay++;
    begunMs = performance.now();
    try {
      const answers = await options.look(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, place) => {
        resolve(answers[place] as Answer);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay--;
    arrange();
  };
  const arrange = () => {
    if (isDue || waiting.size === 0 || underWay >= lanes) return;
    // A look costs nearly the same for one as for all: two small ones beside each other cost twice.
    const restMs = underWay === 0 ? 0 : begunMs + patienceMs - performance.now();
    if (restMs > 0) {
      if (alarm === null) alarm = setTimeout(wake, Math.ceil(restMs));
      return;
    }
    isDue = true;
    // What the same turn of the event loop reads from other sockets comes along.
    setImmediate(begin);
  };
  const wake = () => {
    alarm = null;
    arrange();
  };
  return (key) => {
    const name = options.nameOf(key);
    const asked = waiting.get(name) ?? openAsked(key);
    waiting.set(name, asked);
    arrange();
    return asked.answer;
  };
}

interface Asked<Key, Answer> {
  key: Key;
  answer: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

function openAsked<Key, Answer>(key: Key): Asked<Key, Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return { key, answer: promise, resolve, reject };
}
