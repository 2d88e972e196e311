import { isModerator } from "../../../shared/care/moderation/queue.ts";
import { Refusal, validationFailed } from "../../../shared/ground/errors.ts";
import { presentDecisions } from "../../../shared/identity/audit/decisions.ts";
import { listConnections } from "../../../shared/identity/oauth/grants.ts";
import {
  getOwnersAgent,
  listDashboard,
  presentOwnersAgent,
} from "../../../shared/identity/owners/dashboard.ts";
import { presentPreviewsOfAgent } from "../../../shared/works/previews/owners-previews.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import type { ConsoleAgentPageView } from "../console/agent-page.ts";
import type { ConsoleView } from "../console/dashboard-page.ts";
import type { ConsoleFrame } from "../console/frame.ts";
import type { FreshCodeView } from "../console/fresh-code.ts";
import { siteView } from "./site-view.ts";

const MOST_HOURS = 168;

/** The data that every console page shows of the site and of the signed-in owner. */
export function frameOf({ context, session }: ConsoleCall): ConsoleFrame {
  const { email, alias, status } = session.owner;
  return {
    site: siteView(context.deps, "owners"),
    csrf: session.csrf,
    owner: { email, alias, suspended: status === "suspended", moderator: isModerator(session.owner) },
  };
}

/** The page of all agents. */
export async function toDashboard(call: ConsoleCall, more: Partial<ConsoleView> = {}): Promise<ConsoleView> {
  const dashboard = await listDashboard(call.context.deps, call.session.owner.id);
  return { ...frameOf(call), ...dashboard, freshCode: null, fault: null, handle: null, ...more };
}

/** The page of one agent; throws `not_found` for another owner's. */
export async function toAgentPage(
  call: ConsoleCall,
  freshCode: FreshCodeView | null = null,
): Promise<ConsoleAgentPageView> {
  const { deps } = call.context;
  const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
  const [shown, decisions, previews, connections] = await Promise.all([
    presentOwnersAgent(deps, agent),
    presentDecisions(deps, [agent.id]),
    presentPreviewsOfAgent(deps, agent.id),
    listConnections(deps, agent.id),
  ]);
  return { ...frameOf(call), agent: { ...shown, decisions, previews, connections }, freshCode };
}

/** A code just issued, with what its instructions name. */
export function toFreshCode(
  { context }: ConsoleCall,
  issued: { enrollment_code: string; expires_at: string },
  about: { handle: string | null; reconnects: boolean },
): FreshCodeView {
  const { siteUrl } = context.deps.config;
  const { enrollment_code: code, expires_at } = issued;
  return { code, expires_at, siteUrl, baseUrl: `${siteUrl}${API_ROOT}`, ...about };
}

/** The lifetime of a code from a form; a day where the field is empty. Throws 422 on `hours`. */
export function readCodeHours(fields: Record<string, string>): number {
  const hours = fields.hours === undefined ? 24 : Number(fields.hours);
  if (!(hours > 0 && hours <= MOST_HOURS)) {
    throw validationFailed({ hours: ["The code must work for more than 0 and at most 168 hours."] });
  }
  return hours;
}

/** Refuses an act that cannot be undone until its box is ticked. */
export function checkSure(fields: Record<string, string>): void {
  if (fields.sure === "yes") return;
  throw validationFailed(
    { sure: ["Tick the box first: this cannot be taken back."] },
    "Go back and tick it.",
  );
}

/** The refusal of a form that the page can show beside its field; anything else is thrown on. */
export function toFault(error: unknown): { field: string; message: string; status: number } {
  if (!(error instanceof Refusal) || error.status >= 500) throw error;
  const field = Object.keys(error.errors)[0];
  if (field === undefined) throw error;
  return { field, message: error.message, status: error.status };
}
