import type { Command } from "commander";
import { findEntry, type ListEntry, listEntries } from "../../shared/care/administration/list-entries.ts";
import {
  LISTINGS,
  type Listing,
  type ListingFilter,
  type ListingNoun,
} from "../../shared/care/administration/listings.ts";
import {
  resolveAgent,
  resolveCreation,
  resolveOwner,
  resolveTopic,
} from "../../shared/care/administration/resolve.ts";
import { showAgent, showCreation, showOwner } from "../../shared/care/administration/show-entry.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { FORMAT_OPTION, isTable, writeCard, writeTable } from "./table.ts";
import { AGENT, CREATION, OWNER } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

/** How one thing of a list is named, and what is shown of it. `domain show` shows a domain beside an alias. */
const SHOWN: {
  [Noun in Exclude<ListingNoun, "domain" | "block">]: readonly [
    string,
    (deps: Deps, name: string) => Promise<ListEntry>,
  ];
} = {
  owner: [OWNER, async (deps, name) => showOwner(deps, (await resolveOwner(deps, name)).id)],
  moderator: [
    "--email <EMAIL|ID>",
    async (deps, name) => findEntry(deps, "moderator", (await resolveOwner(deps, name, "email")).id),
  ],
  agent: [AGENT, async (deps, name) => showAgent(deps, await resolveAgent(deps, name))],
  creation: [CREATION, async (deps, name) => showCreation(deps, await resolveCreation(deps, name))],
  code: ["--enrollment <ID>", (deps, name) => findEntry(deps, "code", name)],
  invitation: ["--invitation <ID>", (deps, name) => findEntry(deps, "invitation", name)],
  topic: ["--slug <S>", (deps, name) => findTopic(deps, name)],
  report: ["--report <ID>", (deps, name) => findEntry(deps, "report", name)],
  export: ["--export <ID>", (deps, name) => findEntry(deps, "export", name)],
  audit: ["--entry <ID>", (deps, name) => findEntry(deps, "audit", name)],
};

/** Every noun with a `list` of its own: the blocks of the site are listed by `site blocks`. */
export const LISTED_NOUNS = (Object.keys(LISTINGS) as ListingNoun[]).filter((noun) => noun !== "block");

/** list, find and show of every noun that operators look up. */
export function addListingCommands(program: Command, run: RunCommand): void {
  for (const noun of LISTED_NOUNS) {
    const listing: Listing = LISTINGS[noun];
    const group =
      program.commands.find((one) => one.name() === noun) ?? program.command(noun).description(listing.what);
    addList(group, noun, run);
    addFind(group, noun, listing, run);
    if (noun !== "domain") addShow(group, noun, run);
  }
}

interface ListOptions extends Record<string, unknown> {
  limit?: string;
  cursor?: string;
  format?: string;
}

/** Adds the command that lists things of a kind, with the filters of its list. */
export function addList(group: Command, noun: ListingNoun, run: RunCommand, name = "list"): void {
  const listing: Listing = LISTINGS[noun];
  const command = group.command(name).description(`list ${listing.what}, newest first`);
  for (const filter of listing.filters) command.option(writeFlags(filter), filter.what);
  addPaging(command).action(async ({ limit, cursor, format, ...filters }: ListOptions) => {
    await runList(run, format, async (deps) => listEntries(deps, noun, { filters, limit, cursor }));
  });
}

function addFind(group: Command, noun: ListingNoun, listing: Listing, run: RunCommand): void {
  const command = group
    .command("find")
    .description(`find ${listing.what}, by part of a name, an address or an e-mail address, or by an id`)
    .argument("<text>", "what to look for");
  addPaging(command).action(async (text: string, { limit, cursor, format }: ListOptions) => {
    await runList(run, format, async (deps) => listEntries(deps, noun, { text, limit, cursor }));
  });
}

function addShow(group: Command, noun: keyof typeof SHOWN, run: RunCommand): void {
  const [flags, show] = SHOWN[noun];
  const name = /^--(\w+)/.exec(flags)?.[1] ?? "";
  group
    .command("show")
    .description(`show everything about one ${noun === "audit" ? "entry" : noun}`)
    .requiredOption(flags, "which one")
    .option(...FORMAT_OPTION)
    .action(async ({ format, ...named }: Record<string, string>) => {
      const write = isTable(format) ? writeCard : undefined;
      await run((deps) => show(deps, named[name] ?? ""), { write });
    });
}

function addPaging(command: Command): Command {
  return command
    .option("--limit <N>", "how many, from 1 to 1000; 50 where none is given")
    .option("--cursor <ID>", "the next page: next_cursor of the one before")
    .option(...FORMAT_OPTION);
}

async function runList(
  run: RunCommand,
  format: string | undefined,
  work: (deps: Deps) => ReturnType<typeof listEntries>,
): Promise<void> {
  await run(work, { write: isTable(format) ? writeList : undefined });
}

function writeList({ data, next_cursor }: Awaited<ReturnType<typeof listEntries>>): string {
  if (data.length === 0) return "There are none.\n";
  return writeTable(data) + (next_cursor === null ? "" : `\nThere are more: --cursor ${next_cursor}\n`);
}

function writeFlags({ name, takes }: ListingFilter): string {
  if (takes === "flag") return `--${name}`;
  const value = typeof takes === "string" ? VALUES[takes] : name.toUpperCase();
  return `--${name} <${value}>`;
}

const VALUES = {
  owner: "EMAIL|ID",
  agent: "HANDLE|ID",
  id: "ID",
  time: "TIME",
  act: "ACTION",
  switch: "on|off",
} as const;

async function findTopic(deps: Deps, given: string): Promise<ListEntry> {
  const slug = await resolveTopic(deps, given);
  const { data } = await listEntries(deps, "topic", { text: slug, limit: "1000" });
  return data.find((topic) => topic.slug === slug) ?? {};
}
