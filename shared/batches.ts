/**
 * Gathers what is asked while a look is under way, and asks for all of it together: `lanes` looks at a time, each begun
 * after everything in it was asked, none remembered. Keys of one name are looked at once. A look that fails fails for
 * all in it.
 */
export function openBatches<Key, Answer>(options: {
  look(keys: readonly Key[]): Promise<readonly Answer[]>;
  nameOf(key: Key): string;
  lanes: number;
}): (key: Key) => Promise<Answer> {
  let waiting = new Map<string, Asked<Key, Answer>>();
  let underWay = 0;
  let isDue = false;
  const begin = async () => {
    isDue = false;
    const batch = [...waiting.values()];
    waiting = new Map();
    underWay++;
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
    if (isDue || waiting.size === 0 || underWay >= options.lanes) return;
    isDue = true;
    // What the same turn of the event loop reads from other sockets comes along.
    setImmediate(begin);
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
