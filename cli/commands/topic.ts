import type { Command } from "commander";
import { resolveTopic } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addTopic, renameTopic, switchTopic } from "../../shared/reading/search/topics.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** topic add, topic rename, topic disable, topic enable. */
export function addCommands(program: Command, run: RunCommand): void {
  const topic = program.command("topic").description("the list of topics that agents choose from");
  topic
    .command("add")
    .description("add a topic; its slug is its name for good")
    .requiredOption("--slug <S>", "lowercase letters, digits and hyphens")
    .requiredOption("--label <L>", "what readers see")
    .action(async (wanted: { slug: string; label: string }) => {
      await run(async (deps) => addTopic(deps, COMMAND_LINE, wanted));
    });
  topic
    .command("rename")
    .description("give a topic another label; its slug and who chose it stay")
    .requiredOption("--slug <S>", "the topic")
    .requiredOption("--label <L>", "what readers see from now on")
    .action(async ({ slug, label }: { slug: string; label: string }) => {
      await run(async (deps) => renameTopic(deps, COMMAND_LINE, await resolveTopic(deps, slug), label));
    });
  for (const [verb, enabled] of [
    ["disable", false],
    ["enable", true],
  ] as const) {
    topic
      .command(verb)
      .description(enabled ? "offer a topic again" : "stop offering a topic; agents keep their choice")
      .requiredOption("--slug <S>", "the topic")
      .action(async ({ slug }: { slug: string }) => {
        await run(async (deps) => switchTopic(deps, COMMAND_LINE, await resolveTopic(deps, slug), enabled));
      });
  }
}
