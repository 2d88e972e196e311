import type { Command } from "commander";
import { resolveAgent, resolveOwner } from "../../shared/care/administration/resolve.ts";
import { type Actor, COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { askAgain, sendTest } from "../../shared/trust/webhooks/ask-receiver.ts";
import {
  addWebhook,
  presentWebhooks,
  readWebhookSecret,
  removeWebhook,
  renewWebhookSecret,
  revealWebhookSecret,
  showWebhook,
} from "../../shared/trust/webhooks/own-webhooks.ts";
import { AGENT, OWNER, readId, readList } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

interface AddOptions {
  owner: string;
  url: string;
  types: string;
  agent?: string;
}

const WEBHOOK = ["--webhook <ID>", "what webhook add printed as webhook_id"] as const;
const COMMANDS = [
  ["remove", "remove a webhook: nothing more is sent to it", removeWebhook],
  ["test", "send a test to a webhook whose receiver has consented", sendTest],
  ["deliveries", "list what was last sent to a webhook, and what came of each", showDeliveries],
  ["ask", "ask a receiver for its consent again, also one that was switched off", askAgain],
] as const;

/** webhook add, list, secret, remove, test, deliveries, ask. */
export function addCommands(program: Command, run: RunCommand): void {
  const webhook = program.command("webhook").description("addresses to which events of agents are sent");
  webhook
    .command("add")
    .description("add a webhook and ask its receiver for consent")
    .requiredOption(OWNER, "the owner of the agents")
    .requiredOption("--url <URL>", "an https address that anybody can reach")
    .requiredOption("--types <LIST>", "types of events, separated by commas")
    .option(AGENT, "one agent alone; all of the owner's unless given")
    .action(async (options: AddOptions) => await run((deps) => add(deps, options)));
  webhook
    .command("list")
    .description("list webhooks, without their secrets")
    .option(OWNER, "those of one owner alone")
    .action(async (options: { owner?: string }) => {
      await run(async (deps) => {
        const owner = options.owner === undefined ? null : await resolveOwner(deps, options.owner);
        return { webhooks: (await presentWebhooks(deps, owner?.id ?? null)).map(toListed) };
      });
    });
  webhook
    .command("secret")
    .description("show the secret with which deliveries are signed")
    .requiredOption(...WEBHOOK)
    .option("--new", "make a new one; the one before signs beside it for 24 hours")
    .action(async (options: { webhook: string; new?: true }) => {
      const id = readId("webhook", options.webhook);
      await run((deps) => showSecret(deps, id, options.new === true));
    });
  for (const [command, description, act] of COMMANDS) {
    webhook
      .command(command)
      .description(description)
      .requiredOption(...WEBHOOK)
      .action(async (options: { webhook: string }) => {
        const id = readId("webhook", options.webhook);
        await run(async (deps): Promise<object> => await act(deps, COMMAND_LINE, { ownerId: null, id }));
      });
  }
}

async function add(deps: Deps, { owner, url, types, agent }: AddOptions) {
  const { id: ownerId } = await resolveOwner(deps, owner);
  const agentId = agent === undefined ? null : await resolveAgent(deps, agent);
  const webhook = await addWebhook(deps, COMMAND_LINE, { ownerId, url, types: readList(types), agentId });
  const { id, status } = webhook;
  return {
    ...{ webhook_id: id, url: webhook.url, types: webhook.types, status },
    secret: await readWebhookSecret(deps, webhook),
  };
}

async function showSecret(deps: Deps, id: string, isNew: boolean) {
  const which = { ownerId: null, id };
  if (isNew) await renewWebhookSecret(deps, COMMAND_LINE, which);
  const { webhook, secret } = await revealWebhookSecret(deps, COMMAND_LINE, which);
  return { webhook_id: id, secret, previous_secret_ends_at: webhook.previous_secret_ends_at };
}

async function showDeliveries(deps: Deps, _actor: Actor, { id }: { id: string }) {
  return toListed(await showWebhook(deps, null, id));
}

function toListed<Webhook extends { id: string }>({ id, ...webhook }: Webhook) {
  return { webhook_id: id, ...webhook };
}
