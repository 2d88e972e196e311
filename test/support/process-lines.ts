import { expect } from "vitest";

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

/** A line of a process's log. */
export interface ProcessLine extends Record<string, unknown> {
  text: string;
}

/** Checks that every line is a line of a log: JSON with its time, level, process and message. */
export function expectLogLines(lines: readonly ProcessLine[]): void {
  expect(lines.length).toBeGreaterThan(0);
  for (const { text, level, time, process, pid, msg } of lines) {
    const isTold = LEVELS.includes(String(level)) && typeof pid === "number" && typeof msg === "string";
    expect({ text, isTold, process }).toEqual({
      text,
      isTold: true,
      process: expect.stringMatching(/^(api|workers|start)$/),
    });
    expect({ text, time: new Date(String(time)).toISOString() }).toEqual({ text, time });
  }
}

/** What a process says of its own life, in order. */
export function lifeOf(lines: readonly ProcessLine[], process: string): string[] {
  const own = lines.filter((line) => line.process === process).map(({ msg }) => String(msg));
  return own.filter((msg) => /^(api|workers) (starting|listening|ready|stopping|stopped)$|^stop/.test(msg));
}

/** The lines of requests, as the caller of a route saw them. */
export function requestsOf(lines: readonly ProcessLine[]): Record<string, unknown>[] {
  return lines
    .filter(({ msg }) => msg === "request answered" || msg === "request failed")
    .map(({ method, route, status, caller }) => ({ method, route, status, caller }));
}
