import { parseArgs } from "node:util";
import { usage } from "../reading/faults.js";

/** What the client can do; its options are read by these lines. */
const COMMANDS = [
  "enrol CODE [--handle H --name N] [--wait] [--replace]",
  "init DIR [--auto]",
  "publish DIR [--dry-run] [--draft] [--schedule TIME] [--auto] [--rebind] [--force]\n      [--only PATH] [--change-summary T] [--minor] [--correction]",
  "publish FILE.csv --title T [--license ID] [--summary T]",
  "append DIR|ADDRESS FILE [--change-summary T] [--label L] [--draft]",
  "status [DIR]",
  "pull ADDRESS [DIR] [--force]",
  "verify FILE|ADDRESS|FOLDER [--vkey K] [--witness K] [--quorum N]",
  "events [--follow] [--after CURSOR|now]",
  "call METHOD PATH [JSON]",
  "skill install [--to DIR]",
];

const ALL =
  "All take --json and --site URL. Exit: 0 done, 1 refused, 2 usage, 3 conflict, 4 sign-in needed, 5 no answer.";

export const USAGE = (site, version) =>
  `${[`Broadsheet client ${version} for ${site}`, ...COMMANDS].join("\n  ")}\n${ALL}`;

/** The options that the lines of a command name. @type {(lines: string[]) => any} */
function listOptions(lines) {
  const found = [...`${lines} [--json] [--site URL] [--help]`.matchAll(/--([a-z-]+)( [A-Z])?/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, { type: value ? "string" : "boolean" }]));
}

/** The names that there are, and first the one that has most pairs of letters of a misspelt one. */
function sayNearest(name, names) {
  const countShared = (one) => [...name].filter((_, at) => one.includes(name.slice(at, at + 2))).length;
  const [nearest] = names.toSorted((one, other) => countShared(other) - countShared(one));
  const meant = 2 * countShared(nearest) > name.length ? `Did you mean ${nearest}? ` : "";
  return `${meant}There are ${names.join(", ")}.`;
}

/** Reads the command line; ends with what there is where it names something else. */
export function readArguments([command = "", ...args]) {
  if (/^(help|--help|-h)$/.test(command)) return { options: { help: true } };
  const lines = COMMANDS.filter((line) => line.startsWith(`${command} `));
  const commands = [...new Set(COMMANDS.map((line) => line.split(" ")[0]))];
  if (lines.length === 0) throw usage(`There is no command "${command}". ${sayNearest(command, commands)}`);
  const options = listOptions(lines);
  const known = Object.keys(options).map((name) => `--${name}`);
  const other = args.flatMap((arg) => /^--[^=]+/.exec(arg) ?? []).find((name) => !known.includes(name));
  if (other) throw usage(`${command} takes no ${other}. ${sayNearest(other, known)}`);
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const surplus = positionals[lines[0].split(" [--")[0].split(" ").length - 1];
    if (surplus) throw usage(`"${surplus}" is one word too many.`);
    return { command, words: positionals, options: values };
  } catch (error) {
    throw usage(/** @type {Error} */ (error).message);
  }
}

const line = (parts) => console.log(parts.filter((part) => part != null).join("  "));

/** Prints what a command did: JSON where asked for it or where no terminal reads it, else lines of text. */
export function print(report, options) {
  if (options.json || !process.stdout.isTTY) return console.log(JSON.stringify(report));
  for (const { path, did, state, url, publish_at, changed, no_longer_holds = [], ...more } of report.works) {
    const rows = more.rows_added && `${more.rows_added} rows added`;
    const sides = changed?.length > 0 ? `changed: ${changed.join(", ")}` : null;
    line([did.replace("_", " ").padEnd(10), state, publish_at, path, url, rows, sides, more.hint]);
    for (const { message } of more.hints.concat(more.warnings)) line(["  ", message]);
    for (const { kind, n, text, value, state: now } of no_longer_holds)
      line(["  ", `${kind} ${n}, "${text}": ${value ?? now.replaceAll("_", " ")}`]);
  }
  for (const { path, member } of report.ignored) line(["ignored   ", `${path}: ${member}`]);
  for (const { path, field, message } of report.not_checked)
    line(["not checked", `${path}: ${field}`, message]);
  for (const { path, id } of report.drafts) line(["draft left", `${path} (${id})`]);
  for (const { path, line: at, field, message, hint } of report.errors) {
    const place = [path, at, field?.replace("payload.", "")].filter((part) => part != null).join(":");
    line([place || null, message]);
    if (hint) line(["  ", hint]);
  }
}
