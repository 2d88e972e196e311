import { deleteArchive, getArchive, requestExport } from "../../../shared/care/archive/exports.ts";
import { deleteAccount } from "../../../shared/care/owners/leave.ts";
import {
  askEmailChange,
  confirmEmailChange,
  findEmailChange,
} from "../../../shared/identity/owners/account.ts";
import { changeAlias } from "../../../shared/identity/owners/alias.ts";
import {
  addDomain,
  checkDomain,
  hideDomain,
  removeDomain,
  showDomain,
} from "../../../shared/identity/owners/domains.ts";
import { invite, withdrawInvitation } from "../../../shared/identity/sign-in/invitations.ts";
import {
  addPasskey,
  namePasskey,
  removePasskey,
  startPasskey,
} from "../../../shared/identity/sign-in/passkeys.ts";
import { endAllSessions, endSession } from "../../../shared/identity/sign-in/sessions.ts";
import { type AfterAnswer, openAfterAnswer } from "../../http/after-answer.ts";
import {
  type AddForm,
  type ConsoleAnswer,
  type ConsoleCall,
  clearSession,
  openConsole,
} from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredFile } from "../../http/send-file.ts";
import { renderConsoleAccountPage, renderEmailChangePage } from "../../pages/console/account-page.ts";
import { toAccountView } from "../../pages/console/account-parts.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { toFault } from "../../pages/parts/forms.ts";

const ACCOUNT = "/console/account";
const ARCHIVE = "/console/exports/:id";

/** The owner's own account: name, address, passkeys, sessions, domains, invitations and the archive of its data. */
export const addConsoleAccountRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post, limited } = openConsole(app, context);
  /** A form of the account page: its refusals stand beside their fields. */
  const openForms =
    (add: typeof post): AddForm =>
    (url, act) =>
      add(url, async (call) => {
        try {
          const done = await act(call);
          if (typeof done !== "string") return { goTo: ACCOUNT };
          return { page: renderConsoleAccountPage(await toAccountView(call, { done })) };
        } catch (error) {
          const { status, ...fault } = toFault(error);
          return { page: renderConsoleAccountPage(await toAccountView(call, { fault })), status };
        }
      });
  const form = openForms(post);
  const limitedForm = openForms(limited);

  get(ACCOUNT, async (call) => ({ page: renderConsoleAccountPage(await toAccountView(call)) }));
  form(`${ACCOUNT}/alias`, async ({ session, fields, request }) => {
    const alias = { alias: fields.alias ?? "", shown: fields.shown === "yes" };
    await changeAlias(deps, session, alias, request.id);
  });
  limitedForm(`${ACCOUNT}/email`, async ({ session, fields, request }) => {
    await askEmailChange(deps, session, fields.email ?? "", request.id);
    return "If the address can be used, a link is on its way to it. Open it in this browser within an hour.";
  });
  get("/console/email/:secret", async (call) => {
    const secret = call.params.secret ?? "";
    const email = await findEmailChange(deps, call.session, secret);
    return { page: renderEmailChangePage({ ...frameOf(call), email, action: `/console/email/${secret}` }) };
  });
  form("/console/email/:secret", ({ session, params, request }) =>
    confirmEmailChange(deps, session, params.secret ?? "", request.id),
  );
  addPasskeyForms(form);
  addDomainForms(form);
  addInvitationForms(form, limitedForm, openAfterAnswer(app, deps));
  addExportForms(form, limitedForm);
  get(ARCHIVE, sendArchive, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
  form("/console/leave", async ({ session, fields, request, reply }) => {
    await deleteAccount(deps, session, fields.confirm ?? "", request.id);
    clearSession(deps, reply);
  });
  limited("/console/passkeys/options", async ({ session }) => ({ json: await startPasskey(deps, session) }));
  post("/console/sessions/:id/end", async ({ session, params, request, reply }) => {
    await endSession(deps, session, params.id ?? "", request.id);
    if (params.id === session.sessionId) clearSession(deps, reply);
    return { goTo: ACCOUNT };
  });
  post("/console/sessions/end-all", async ({ session, request, reply }) => {
    await endAllSessions(deps, session, request.id);
    clearSession(deps, reply);
    return { goTo: "/sign-in" };
  });
};

function addPasskeyForms(form: AddForm): void {
  form("/console/passkeys", async ({ context, session, fields, request }) => {
    const given = { response: fields.response ?? "", name: fields.name ?? "" };
    await addPasskey(context.deps, session, given, request.id);
  });
  form("/console/passkeys/:id/name", ({ context, session, params, fields, request }) =>
    namePasskey(context.deps, session, params.id ?? "", fields.name ?? "", request.id),
  );
  form("/console/passkeys/:id/remove", ({ context, session, params, request }) =>
    removePasskey(context.deps, session, params.id ?? "", request.id),
  );
}

const DOMAIN_ACTS = { show: showDomain, hide: hideDomain, remove: removeDomain };

function addDomainForms(form: AddForm): void {
  form("/console/domains", ({ context, actor, session, fields }) =>
    addDomain(context.deps, actor, session.owner.id, fields.domain ?? ""),
  );
  form("/console/domains/:id/check", async ({ context, actor, session, params }) => {
    const { found } = await checkDomain(context.deps, actor, session.owner.id, params.id ?? "");
    return found !== null
      ? "The domain proves that it is yours."
      : "Nothing was found there yet. New DNS records can take an hour to be seen.";
  });
  for (const [name, act] of Object.entries(DOMAIN_ACTS)) {
    form(`/console/domains/:id/${name}`, ({ context, actor, session, params }) =>
      act(context.deps, actor, session.owner.id, params.id ?? ""),
    );
  }
}

function addInvitationForms(form: AddForm, limitedForm: AddForm, afterAnswer: AfterAnswer): void {
  limitedForm("/console/invitations", async ({ context, session, fields, request, reply }) => {
    const { deps } = context;
    let send = async (): Promise<void> => undefined;
    // Asked for before anything is stored: where too much waits, the form is refused.
    afterAnswer(reply, () => send());
    const mail = await invite(deps, session, fields.invitee ?? "", request.id);
    if (mail !== null) send = () => deps.mailer.send(mail);
    return "The invitation is listed below. If a link can be sent to the address, it is on its way.";
  });
  form("/console/invitations/:id/revoke", ({ context, actor, session, params }) =>
    withdrawInvitation(context.deps, actor, { id: params.id ?? "", ownerId: session.owner.id }),
  );
}

function addExportForms(form: AddForm, limitedForm: AddForm): void {
  limitedForm("/console/exports", ({ context, actor, session }) =>
    requestExport(context.deps, actor, session.owner.id),
  );
  form(`${ARCHIVE}/delete`, ({ context, actor, session, params }) =>
    deleteArchive(context.deps, actor, session.owner.id, params.id),
  );
}

async function sendArchive({ context, session, params, reply }: ConsoleCall): Promise<ConsoleAnswer> {
  const { filename, bytes, fileId } = await getArchive(context.deps, session.owner.id, params.id);
  const file = { key: fileId, filename, bytes, type: "application/zip" };
  return { sent: await sendStoredFile(context.deps, await context.downloads.open(reply), file) };
}
