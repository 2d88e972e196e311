export const EXIT = { done: 0, refused: 1, usage: 2, conflict: 3, signIn: 4, noAnswer: 5 };

/** Ends a command with an exit code, and with faults that are told. */
export class Stop extends Error {
  constructor(exit, ...faults) {
    super(faults.map(({ message }) => message).join("\n"));
    this.exit = exit;
    this.faults = faults;
  }
}

/** Ends a command where there is a fault. */
export function refuseAll(faults, exit = EXIT.refused) {
  if (faults.length > 0) throw new Stop(exit, ...faults);
}

/** Ends a command that cannot be done as it was typed. */
export const usage = (message, code = "usage") => new Stop(EXIT.usage, { code, message });

/** Notes a fault of a folder. */
export function refuse(folder, path, message, /** @type {any} */ place = {}) {
  folder.faults.push({ ...place, path, message, code: place.code ?? "validation_failed" });
}

/** Faults as they are told, what is said of one place in the same words once. */
export function describeFaults(faults) {
  const told = faults.map(describeFault);
  const places = told.map(({ path, line, field, message }) => JSON.stringify([path, line ?? field, message]));
  return told.filter((_, at) => places.indexOf(places[at]) === at);
}

/** A fault as it is told: with each of its members, its field with dots. */
function describeFault({ path = null, line = null, field, code, message, hint = null, plan = null }) {
  const way = plan ? `--auto takes this plan: ${JSON.stringify(plan.dialect)}` : hint;
  return { path, line, field: [field ?? []].flat().join(".") || null, code, message, hint: way, plan };
}
