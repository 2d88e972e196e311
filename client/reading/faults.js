export const EXIT = { done: 0, refused: 1, usage: 2, conflict: 3, signIn: 4, noAnswer: 5 };

const MEMBERS = ["path", "line", "field", "code", "message", "hint", "plan"];

/** Ends a command with an exit code, and with faults that are told. */
export class Stop extends Error {
  constructor(exit, ...faults) {
    super(faults.map(({ message }) => message).join("\n"));
    this.exit = exit;
    this.faults = faults;
  }
}

/** Ends a command that cannot be done as it was typed. */
export const usage = (message, code = "usage") => new Stop(EXIT.usage, { code, message });

/** Notes a fault of a folder. */
export function refuse(folder, path, message, /** @type {any} */ place = {}) {
  folder.faults.push({ ...place, path, message, code: place.code ?? "validation_failed" });
}

/** A fault as it is told: with each of its members, its field with dots. */
export function describeFault(fault) {
  const field = [fault.field ?? []].flat().join(".");
  return Object.fromEntries(MEMBERS.map((name) => [name, (name === "field" ? field : fault[name]) || null]));
}
