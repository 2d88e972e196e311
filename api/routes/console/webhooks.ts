import { limitsOfOwner } from "../../../shared/platform/limits-in-force.ts";
import { EVENT_TYPES } from "../../../shared/trust/events/present-event.ts";
import { askAgain, sendAgain, sendTest } from "../../../shared/trust/webhooks/ask-receiver.ts";
import {
  addWebhook,
  presentWebhooks,
  readWebhookSecret,
  removeWebhook,
  renewWebhookSecret,
  revealWebhookSecret,
  showWebhook,
} from "../../../shared/trust/webhooks/own-webhooks.ts";
import { type ConsoleAnswer, type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { toDashboard } from "../../pages/console/dashboard-page.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { renderWebhookPage } from "../../pages/console/webhook-page.ts";
import { renderWebhooksPage, type WebhooksView } from "../../pages/console/webhooks-page.ts";
import { checkSure, toFault } from "../../pages/parts/forms.ts";

const WEBHOOKS = "/console/webhooks";
const WEBHOOK = `${WEBHOOKS}/:id`;

/** An owner adds webhooks, looks at what was sent to them, and ends them. */
export const addConsoleWebhookRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post, limited } = openConsole(app, context);
  get(WEBHOOKS, async (call) => ({ page: renderWebhooksPage(await toWebhooks(call)) }));
  limited(WEBHOOKS, add);
  get(WEBHOOK, async (call) => ({ page: await renderOne(call, call.params.id ?? "") }));
  /** A form of a webhook's page, which then shows what was done; where something was sent, it may be loaded again. */
  const act = (path: string, doIt: (call: ConsoleCall, which: Owned) => Promise<Shown | null>) =>
    limited(`${WEBHOOK}/${path}`, async (call) => {
      const which = { ownerId: call.session.owner.id, id: call.params.id ?? "" };
      const shown = await doIt(call, which);
      if (shown === null) return { goTo: `${WEBHOOKS}/${which.id}#deliveries` };
      return { page: await renderOne(call, which.id, shown) };
    });
  act("secret", async ({ actor }, which) => ({
    secret: (await revealWebhookSecret(deps, actor, which)).secret,
  }));
  act("new-secret", async ({ actor }, which) => {
    const webhook = await renewWebhookSecret(deps, actor, which);
    return { secret: await readWebhookSecret(deps, webhook), done: "The webhook has a new secret." };
  });
  act("test", async ({ actor }, which) => {
    await sendTest(deps, actor, which);
    return null;
  });
  act("ask", async ({ actor }, which) => {
    await askAgain(deps, actor, which);
    return null;
  });
  act("deliveries/:message/again", async ({ actor, params }, which) => {
    await sendAgain(deps, actor, { ...which, messageId: params.message ?? "" });
    return null;
  });
  post(`${WEBHOOK}/remove`, async ({ session, actor, params, fields }) => {
    checkSure(fields);
    await removeWebhook(deps, actor, { ownerId: session.owner.id, id: params.id ?? "" });
    return { goTo: WEBHOOKS };
  });
};

interface Owned {
  ownerId: string;
  id: string;
}

interface Shown {
  secret?: string;
  done?: string;
}

async function add(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, actor, session, fields } = call;
  const typed = {
    url: fields.url ?? "",
    agent: fields.agent ?? "",
    types: EVENT_TYPES.filter((type) => fields[`type-${type}`] === "yes"),
  };
  try {
    const wanted = { url: typed.url, types: typed.types, agentId: typed.agent === "" ? null : typed.agent };
    const webhook = await addWebhook(context.deps, actor, { ownerId: session.owner.id, ...wanted });
    const done = "The webhook was added, and its receiver is being asked.";
    const secret = await readWebhookSecret(context.deps, webhook);
    return { page: await renderOne(call, webhook.id, { secret, done }) };
  } catch (error) {
    const { status, ...fault } = toFault(error);
    return { page: renderWebhooksPage(await toWebhooks(call, { typed, fault })), status };
  }
}

async function renderOne(call: ConsoleCall, id: string, { secret, done }: Shown = {}): Promise<string> {
  const webhook = await showWebhook(call.context.deps, call.session.owner.id, id);
  return renderWebhookPage({ ...frameOf(call), webhook, secret: secret ?? null, done: done ?? null });
}

async function toWebhooks(call: ConsoleCall, more: Partial<WebhooksView> = {}): Promise<WebhooksView> {
  const { context, session } = call;
  const { agents } = await toDashboard(call);
  return {
    ...frameOf(call),
    webhooks: await presentWebhooks(context.deps, session.owner.id),
    webhookLimit: limitsOfOwner(context.deps, session.owner).webhooksPerOwner,
    agents: agents.filter(({ status }) => status !== "archived"),
    typed: { url: "", agent: "", types: [] },
    fault: null,
    ...more,
  };
}
