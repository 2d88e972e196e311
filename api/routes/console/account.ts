import { presentExports } from "../../../shared/care/archive/exports.ts";
import { deleteAccount } from "../../../shared/care/owners/leave.ts";
import {
  askEmailChange,
  confirmEmailChange,
  findEmailChange,
} from "../../../shared/identity/owners/account.ts";
import { changeAlias } from "../../../shared/identity/owners/alias.ts";
import { listDomains } from "../../../shared/identity/owners/domains.ts";
import { presentInvitations } from "../../../shared/identity/sign-in/invitations.ts";
import {
  addPasskey,
  listPasskeys,
  namePasskey,
  relyingPartyOf,
  removePasskey,
  startPasskey,
} from "../../../shared/identity/sign-in/passkeys.ts";
import { endAllSessions, endSession, listSessions } from "../../../shared/identity/sign-in/sessions.ts";
import { limitsOfOwner } from "../../../shared/platform/limits-in-force.ts";
import { openAfterAnswer } from "../../http/after-answer.ts";
import { type AddForm, addConsoleRoute, type ConsoleCall } from "../../http/console-route.ts";
import { clearSession, readSession } from "../../http/console-session.ts";
import type { RouteGroup } from "../../http/context.ts";
import { type ConsoleAccountView, renderConsoleAccountPage } from "../../pages/console/account-page.ts";
import { renderEmailChangePage } from "../../pages/console/email-change-page.ts";
import { frameOf, toFault } from "../../pages/views/console-views.ts";
import { addDomainForms } from "./domains.ts";
import { addArchiveRoute, addExportForms } from "./exports.ts";
import { addInvitationForms } from "./invitations.ts";

const ACCOUNT = "/console/account";

/** The owner's own account: name, address, passkeys, sessions. */
export const addConsoleAccountRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  /** A form of the account page: its refusals stand beside their fields. */
  const post = (url: string, act: (call: ConsoleCall) => Promise<string | null>, limited = false) =>
    addConsoleRoute(app, context, {
      method: "POST",
      url,
      limited,
      async handle(call) {
        try {
          const done = await act(call);
          return done === null ? { goTo: ACCOUNT } : { page: await renderAccount(call, { done }) };
        } catch (error) {
          const { status, ...fault } = toFault(error);
          return { page: await renderAccount(call, { fault }), status };
        }
      },
    });

  addConsoleRoute(app, context, {
    method: "GET",
    url: ACCOUNT,
    handle: async (call) => ({ page: await renderAccount(call) }),
  });
  post(`${ACCOUNT}/alias`, async ({ session, fields, request }) => {
    const alias = { alias: fields.alias ?? "", shown: fields.shown === "yes" };
    await changeAlias(deps, session, alias, request.id);
    return null;
  });
  post(
    `${ACCOUNT}/email`,
    async ({ session, fields, request }) => {
      await askEmailChange(deps, session, fields.email ?? "", request.id);
      return "If the address can be used, a link is on its way to it. Open it in this browser within an hour.";
    },
    true,
  );
  addConsoleRoute(app, context, {
    method: "GET",
    url: "/console/email/:secret",
    async handle(call) {
      const secret = call.params.secret ?? "";
      const email = await findEmailChange(deps, call.session, secret);
      return { page: renderEmailChangePage({ ...frameOf(call), email, action: `/console/email/${secret}` }) };
    },
  });
  post("/console/email/:secret", async ({ session, params, request }) => {
    await confirmEmailChange(deps, session, params.secret ?? "", request.id);
    return null;
  });
  addPasskeyForms(post);
  addDomainForms(post);
  addInvitationForms(post, openAfterAnswer(app, deps));
  addExportForms(post);
  addArchiveRoute(app, context);
  post("/console/leave", async ({ session, fields, request, reply }) => {
    await deleteAccount(deps, session, fields.confirm ?? "", request.id);
    clearSession(deps, reply);
    return null;
  });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/console/passkeys/options",
    limited: true,
    handle: async ({ session }) => ({ json: await startPasskey(deps, session) }),
  });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/console/sessions/:id/end",
    async handle({ session, params, request, reply }) {
      await endSession(deps, session, params.id ?? "", request.id);
      if (params.id === session.sessionId) clearSession(deps, reply);
      return { goTo: ACCOUNT };
    },
  });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/console/sessions/end-all",
    async handle({ session, request, reply }) {
      await endAllSessions(deps, session, request.id);
      clearSession(deps, reply);
      return { goTo: "/sign-in" };
    },
  });
};

function addPasskeyForms(post: AddForm): void {
  post("/console/passkeys", async ({ context, session, fields, request }) => {
    const given = { response: fields.response ?? "", name: fields.name ?? "" };
    await addPasskey(context.deps, session, given, request.id);
    return null;
  });
  post("/console/passkeys/:id/name", async ({ context, session, params, fields, request }) => {
    await namePasskey(context.deps, session, params.id ?? "", fields.name ?? "", request.id);
    return null;
  });
  post("/console/passkeys/:id/remove", async ({ context, session, params, request }) => {
    await removePasskey(context.deps, session, params.id ?? "", request.id);
    return null;
  });
}

/** Renders the account page after a new read of the owner, so that it shows the form's change. */
async function renderAccount(call: ConsoleCall, more: Partial<ConsoleAccountView> = {}): Promise<string> {
  const { deps } = call.context;
  const session = (await readSession(deps, call.request)) ?? call.session;
  const hasPasskeys = relyingPartyOf(deps.config) !== null;
  return renderConsoleAccountPage({
    ...frameOf({ ...call, session }),
    showAlias: session.owner.show_alias,
    sessions: await listSessions(deps, session),
    passkeys: hasPasskeys ? await listPasskeys(deps, session.owner.id) : null,
    domains: await listDomains(deps, session.owner.id),
    domainLimit: limitsOfOwner(deps, session.owner).domainsPerOwner,
    invitations: await presentInvitations(deps, session.owner),
    exports: await presentExports(deps, session.owner.id),
    exportDays: deps.config.limits.exportDays,
    fault: null,
    done: null,
    ...more,
  });
}
