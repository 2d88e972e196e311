import type { Command } from "commander";
import { clearBanner, setBanner, showBanner } from "../../shared/care/administration/banner.ts";
import { addBlock, type BlockWish, liftBlock } from "../../shared/care/moderation/blocks.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { refuseUsage } from "../command-line/answer.ts";
import { addList } from "../command-line/listing.ts";
import { readTimestamp } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** site block, site unblock, site blocks, site banner. */
export function addCommands(program: Command, run: RunCommand): void {
  const site = program.command("site").description("what holds for the whole site");
  addTarget(site.command("block").description("send no link to e-mail addresses, or refuse a network"))
    .option("--reason <TEXT>", "why, in one line, for operators and moderators")
    .option("--until <TIME>", "when it ends by itself, such as 2026-11-20T09:00:00Z")
    .action(async ({ reason, until, ...target }: BlockWish & { reason?: string; until?: string }) => {
      const untilMs = until === undefined ? null : readTimestamp("until", until);
      await run((deps) => addBlock(deps, COMMAND_LINE, target, { reason: reason ?? null, untilMs }));
    });
  addTarget(site.command("unblock").description("lift a block")).action(async (target: BlockWish) => {
    await run((deps) => liftBlock(deps, COMMAND_LINE, target));
  });
  addList(site, "block", run, "blocks");
  addBannerCommand(site, run);
}

function addTarget(command: Command): Command {
  return command
    .option("--email-domain <D>", "every address of this domain and of those below it, such as example.com")
    .option("--email <E>", "one address")
    .option("--network <N>", "requests from it, such as 203.0.113.0/24, 203.0.113.7 or 2001:db8::/32");
}

interface BannerOptions {
  text?: string;
  until?: string;
  for?: string;
  clear?: true;
}

/** site banner. */
function addBannerCommand(site: Command, run: RunCommand): void {
  site
    .command("banner")
    .description("put a notice on pages; without options, show the present one")
    .option("--text <TEXT>", "the notice, in one line of plain text")
    .option("--until <TIME>", "when it ends by itself, such as 2026-12-01T00:00:00Z")
    .option("--for <READERS>", "everyone, on every page, or owners, in the console; everyone unless given")
    .option("--clear", "take it off the pages")
    .action(async ({ text, clear, ...terms }: BannerOptions) => {
      const hasTerms = terms.until !== undefined || terms.for !== undefined;
      if (clear && (hasTerms || text !== undefined)) throw refuseUsage("--clear takes no other option.");
      if (clear) return await run((deps) => clearBanner(deps, COMMAND_LINE));
      if (text !== undefined) return await run((deps) => setBanner(deps, COMMAND_LINE, toWish(text, terms)));
      if (hasTerms) throw refuseUsage("--until and --for need --text: a banner is set as a whole.");
      await run(showBanner);
    });
}

function toWish(text: string, { until, for: audience = "everyone" }: Pick<BannerOptions, "until" | "for">) {
  return { text, audience, untilMs: until === undefined ? null : readTimestamp("until", until) };
}
