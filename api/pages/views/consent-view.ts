import type { Refusal } from "../../../shared/ground/errors.ts";
import { toUlid } from "../../../shared/ground/ids.ts";
import type { AuthorizationRequest } from "../../../shared/identity/oauth/authorization-request.ts";
import { listConnections } from "../../../shared/identity/oauth/grants.ts";
import { listDashboard } from "../../../shared/identity/owners/dashboard.ts";
import type { SignedIn } from "../../../shared/identity/sign-in/sessions.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { ConsentView } from "../console/consent-page.ts";
import { siteView } from "./site-view.ts";

/** A form that was refused, which is shown again. */
export interface AgainView {
  fields: Record<string, string>;
  refusal: Refusal;
}

/** The page of consent; with `again` as the owner filled it in, and with what was wrong. */
export async function toConsentPage(
  deps: Deps,
  { owner, csrf }: SignedIn & { csrf: string },
  { client, clientHost, redirect, abilities }: AuthorizationRequest,
  { action, again }: { action: string; again: AgainView | null },
): Promise<ConsentView> {
  const { agents } = await listDashboard(deps, owner.id);
  const active = agents.filter(({ status }) => status === "active");
  const field = Object.keys(again?.refusal.errors ?? {})[0] ?? null;
  const chosen = active.find(({ id }) => id === toUlid(again?.fields.agent));
  const isFull = again?.refusal.code === "quota_exhausted" && chosen !== undefined;
  return {
    site: siteView(deps, "owners"),
    csrf,
    action,
    owner: owner.alias ?? owner.email,
    client: { name: client.name, host: clientHost, kind: client.kind },
    redirect,
    abilities,
    agents: active.map(({ id, handle, display_name }) => ({ id, handle, display_name })),
    chosen: again?.fields ?? null,
    fault: again && { field, message: again.refusal.message },
    full: isFull ? { handle: chosen.handle, connections: await listConnections(deps, chosen.id) } : null,
  };
}
