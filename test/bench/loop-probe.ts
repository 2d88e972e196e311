import { createHook } from "node:async_hooks";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

// Loaded before a process under a bench (--import): notes how much processor time its main thread spends in a task, which
// is a callback with what its promises bring, and between two turns of the event loop, which runs all tasks that are ready.
// What other processes take of the machine meanwhile does not count, but tasks pile up while they take it. At SIGWINCH it
// writes the tasks and turns over 1 ms since the last time, in microseconds, to the file LOOP_PROBE_FILE, and begins anew.
const LEAST_NOTED_US = 1_000;
const file = process.env.LOOP_PROBE_FILE;
if (isMainThread && file !== undefined) {
  let times = { tasks: [] as number[], turns: [] as number[] };
  let [task, turn] = [readCpu(), readCpu()];
  const endTask = () => {
    const now = readCpu();
    if (now - task > LEAST_NOTED_US) times.tasks.push(now - task);
    task = now;
  };
  // A task ends where the next one begins. Promises are no tasks of their own.
  createHook({ before: endTask, trackPromises: false }).enable();
  const timer = setInterval(() => {
    if (task - turn > LEAST_NOTED_US) times.turns.push(task - turn);
    turn = task;
  }, 1);
  timer.unref();
  process.on("SIGWINCH", () => {
    writeFileSync(`${file}.tmp`, JSON.stringify(times));
    times = { tasks: [], turns: [] };
  });
}

function readCpu(): number {
  // Linux brings a running thread's own count up to date at its ticks, every 4 ms, or where the whole process is asked.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
