/** How long a task may take, in milliseconds. */
export type TimeLimit = number | ((task: object) => number);

const BYTES_OF_TIME = 67_108_864;

/** As much time for each 64 MiB of a file. */
export function forEachPart(timeMs: number, bytes: number): number {
  return timeMs * Math.max(1, Math.ceil(bytes / BYTES_OF_TIME));
}

/** The same as the limit of a task, by its file. */
export function limitByFile(timeoutMs: number): TimeLimit {
  return (task) => {
    const { bytes = 0 } = "file" in task ? (task.file as { bytes?: number }) : (task as { bytes?: number });
    return forEachPart(timeoutMs, bytes);
  };
}

// A busy machine starts a thread in seconds: its start is bounded apart, and takes nothing of the time of its task.
const START_TIMEOUT_MS = 15_000;

/** What takes no longer is done for nobody: to end its thread would cost more. */
const LEFT_MS = 500;

/** Aborts once a task has run for its time, or a thread has not begun within the time of a start. */
export function limitTime(begun: SharedArrayBuffer, timeoutMs: number) {
  const limit = new AbortController();
  const sentAt = process.hrtime.bigint();
  const look = () => {
    const begunAt = Atomics.load(new BigInt64Array(begun), 0);
    const [since, limitMs] = begunAt === 0n ? [sentAt, START_TIMEOUT_MS] : [begunAt, timeoutMs];
    const leftMs = limitMs - Number(process.hrtime.bigint() - since) / 1e6;
    if (leftMs <= 0) limit.abort();
    else timer = setTimeout(look, begunAt === 0n ? Math.min(leftMs, timeoutMs) : leftMs);
  };
  let timer = setTimeout(look, timeoutMs);
  const end = () => clearTimeout(timer);
  const endSoon = () => {
    end();
    timer = setTimeout(() => limit.abort(), LEFT_MS);
  };
  return { signal: limit.signal, end, endSoon };
}
