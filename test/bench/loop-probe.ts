import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Loaded before a process under a bench (--import): notes how much processor time its main thread spends between two
// turns of the event loop. What other processes take of the machine meanwhile does not count. At SIGWINCH it writes the
// turns over 1 ms since the last time, in microseconds, to the file LOOP_PROBE_FILE, and begins anew.
const file = process.env.LOOP_PROBE_FILE;
if (isMainThread && file !== undefined) {
  let turns: number[] = [];
  let last = readCpu();
  const timer = setInterval(() => {
    const now = readCpu();
    if (now - last > 1_000) turns.push(now - last);
    last = now;
  }, 1);
  timer.unref();
  process.on("SIGWINCH", () => {
    writeFileSync(`${file}.tmp`, JSON.stringify(turns));
    turns = [];
  });
}

function readCpu(): number {
  // Linux brings a running thread's own count up to date at its ticks, every 4 ms, or where the whole process is asked.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
