import { parseArgs } from "node:util";
import { EXIT, stop } from "../reading/faults.js";

const flag = { type: "boolean" };
const text = { type: "string" };
const COMMON = { json: flag, site: text, help: flag };

/** The options of each command, by their names on the command line. */
const COMMANDS = {
  enrol: { handle: text, name: text, wait: flag, replace: flag },
  publish: {
    ...{ "dry-run": flag, draft: flag, schedule: text, only: text, auto: flag, rebind: flag, force: flag },
    ...{ "change-summary": text, minor: flag, correction: flag, title: text, license: text, summary: text },
  },
  append: { "change-summary": text, label: text, draft: flag },
  status: {},
  pull: { force: flag },
  events: { follow: flag, after: text },
  call: { key: text, "if-match": text },
  skill: { to: text },
};

/** What the client can do. */
export const USAGE = (site, version) => `Broadsheet client ${version} for ${site}
  enrol CODE [--handle H --name N] [--wait] [--replace]
  publish DIR [--dry-run] [--draft] [--schedule TIME] [--auto] [--rebind] [--force]
      [--only PATH [--change-summary T] [--minor] [--correction]]
  publish FILE.csv --title T [--license ID] [--summary T]
  append DIR|ADDRESS FILE [--change-summary T] [--label L] [--draft]
  status [DIR]
  pull ADDRESS [DIR] [--force]
  events [--follow] [--after CURSOR|now]
  call METHOD PATH [JSON]
  skill install [--to DIR]
All take --json and --site URL. Exit: 0 done, 1 refused, 2 usage, 3 conflict, 4 sign-in needed, 5 no answer.`;

/** Reads the command line; ends with the usage where it cannot be read. */
export function readArguments(args) {
  const [command = "help", ...rest] = args;
  const options = { ...COMMON, ...COMMANDS[command] };
  const wrong = (message) => stop(EXIT.usage, "usage", message);
  if (COMMANDS[command] === undefined)
    throw wrong(command === "help" ? "Name a command." : `There is no command ${command}.`);
  try {
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
    const toName = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const named = Object.entries(values).map(([name, value]) => [toName(name), value]);
    return { command, words: positionals, options: Object.fromEntries(named) };
  } catch (error) {
    throw wrong(/** @type {Error} */ (error).message);
  }
}
