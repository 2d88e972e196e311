export const EXIT = { done: 0, refused: 1, usage: 2, conflict: 3, signIn: 4, noAnswer: 5 };

/** A reason why something is not done, with its place on the disk. */
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

/** Ends a command with an exit code, and with faults that are told. */
export class Stop extends Error {
  constructor(exit, faults) {
    super(faults.map(({ message }) => message).join("\n"));
    this.exit = exit;
    this.faults = faults;
  }
}

/** The end of a command for one reason. */
export const stop = (exit, code, message, more = {}) =>
  new Stop(exit, [makeFault({ code, message, ...more })]);
