/**
 * A reason why nothing is published, with its place on the disk.
 * @typedef {{ path: string | null, line: number | null, field: string | null, code: string, message: string,
 *   hint: string | null, plan: any }} Fault
 */

/**
 * @param {Partial<Fault> & { code: string, message: string }} fault
 * @returns {Fault}
 */
export function makeFault({
  path = null,
  line = null,
  field = null,
  code,
  message,
  hint = null,
  plan = null,
}) {
  return { path, line, field, code, message, hint, plan };
}

/** Ends a command: its exit code, and what is told of it. */
export class Stop extends Error {
  /**
   * @param {number} exit
   * @param {Fault[]} faults
   */
  constructor(exit, faults) {
    super(faults.map(({ message }) => message).join("\n"));
    this.exit = exit;
    this.faults = faults;
  }
}

export const EXIT = { done: 0, refused: 1, usage: 2, conflict: 3, signIn: 4, noAnswer: 5 };

/** Ends a command for one reason. */
export function stop(exit, code, message, more = {}) {
  return new Stop(exit, [makeFault({ code, message, ...more })]);
}
