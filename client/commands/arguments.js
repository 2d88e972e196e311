import { parseArgs } from "node:util";
import { usage } from "../reading/faults.js";

/** What the client can do; its options are read by these lines. */
const COMMANDS = `
  enrol CODE [--handle H --name N] [--wait] [--replace]
  init DIR [--auto]
  publish DIR [--dry-run] [--draft] [--schedule TIME] [--auto] [--rebind] [--force]
      [--only PATH] [--change-summary T] [--minor] [--correction]
  publish FILE.csv --title T [--license ID] [--summary T]
  append DIR|ADDRESS FILE [--change-summary T] [--label L] [--draft]
  status [DIR]
  pull ADDRESS [DIR] [--force]
  verify FILE|ADDRESS|FOLDER [--vkey K] [--witness K] [--quorum N]
  events [--follow] [--after CURSOR|now]
  call METHOD PATH [JSON]
  skill install [--to DIR]`;

export const USAGE = (site, version) => `Broadsheet client ${version} for ${site}${COMMANDS}
All take --json and --site URL. Exit: 0 done, 1 refused, 2 usage, 3 conflict, 4 sign-in needed, 5 no answer.`;

/** The options of a command by their names, undefined where there is no such command. */
function listOptions(command) {
  const lines = COMMANDS.split(/\n {2}(?! )/).filter((line) => line.startsWith(`${command} `));
  const found = [...`${lines} [--json] [--site URL] [--help]`.matchAll(/--([a-z-]+)( [A-Z])?/g)];
  const options = found.map(([, name, value]) => [name, { type: value ? "string" : "boolean" }]);
  return lines.length > 0 ? Object.fromEntries(options) : undefined;
}

/** Reads the command line; ends with what there is where it names something else. */
export function readArguments([command = "", ...args]) {
  if (/^(help|--help|-h)$/.test(command)) return { options: { help: true } };
  const options = listOptions(command);
  const commands = [...new Set(COMMANDS.match(/(?<=^ {2})\w+/gm))].join(", ");
  if (options === undefined) throw usage(`There is no command "${command}"; there are ${commands}.`);
  const known = Object.keys(options).map((name) => `--${name}`);
  const other = args.flatMap((arg) => /^--[^=]+/.exec(arg) ?? []).find((name) => !known.includes(name));
  if (other) throw usage(`${command} takes no ${other}; it takes ${known.join(", ")}.`);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const toName = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const named = Object.entries(values).map(([name, value]) => [toName(name), value]);
    return { command, words: positionals, options: Object.fromEntries(named) };
  } catch (error) {
    throw usage(/** @type {Error} */ (error).message);
  }
}
