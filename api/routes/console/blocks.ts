import {
  addBlock,
  type BlockWish,
  liftBlockOfId,
  listBlocks,
} from "../../../shared/care/moderation/blocks.ts";
import { refuseField } from "../../../shared/ground/errors.ts";
import { readDay } from "../../../shared/identity/owners/audit-log.ts";
import { type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { type ConsoleBlocksView, renderConsoleBlocksPage } from "../../pages/console/blocks-page.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { toFault } from "../../pages/parts/forms.ts";

const PAGE = "/console/moderation/blocks";

/** The list of blocks, which moderators maintain. */
export const addConsoleBlockRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post } = openConsole(app, context, { moderators: true });
  get(PAGE, async (call) => ({ page: await renderBlocks(call) }));
  post(PAGE, async (call) => {
    const { actor, fields, request } = call;
    try {
      const { reason = "", until = "" } = fields;
      const untilMs = readDay("until", until === "" ? null : until);
      const more = { reason: reason.trim() === "" ? null : reason, untilMs, from: request.ip };
      await addBlock(deps, actor, readWish(fields), more);
      return { goTo: PAGE };
    } catch (error) {
      const { status, message } = toFault(error);
      return { page: await renderBlocks(call, { fault: message, given: givenIn(fields) }), status };
    }
  });
  post(`${PAGE}/:id/lift`, async ({ actor, params }) => {
    await liftBlockOfId(deps, actor, params.id);
    return { goTo: PAGE };
  });
};

function readWish({ kind, value = "" }: Record<string, string>): BlockWish {
  if (kind === "email") return { email: value };
  if (kind === "email_domain") return { emailDomain: value };
  if (kind === "network") return { network: value };
  throw refuseField("kind", "Choose what to block.");
}

function givenIn(fields: Record<string, string>): ConsoleBlocksView["given"] {
  const { kind = "email", value = "", reason = "", until = "" } = fields;
  return { kind, value, reason, until };
}

async function renderBlocks(call: ConsoleCall, more: Partial<ConsoleBlocksView> = {}): Promise<string> {
  const { data, next } = await listBlocks(call.context.deps, call.query.cursor);
  const older = next === null ? null : `${PAGE}?cursor=${next}`;
  const view = { ...frameOf(call), blocks: data, older, fault: null, given: givenIn({}) };
  return renderConsoleBlocksPage({ ...view, ...more });
}
