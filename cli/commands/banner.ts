import type { Command } from "commander";
import { clearBanner, setBanner, showBanner } from "../../shared/care/administration/banner.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { refuseUsage } from "./answer.ts";
import { readTimestamp } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

interface BannerOptions {
  text?: string;
  until?: string;
  for?: string;
  clear?: true;
}

/** site banner. */
export function addBannerCommand(site: Command, run: RunCommand): void {
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
