import { invite, withdrawInvitation } from "../../../shared/identity/sign-in/invitations.ts";
import type { AfterAnswer } from "../../http/after-answer.ts";
import type { AddForm } from "../../http/console-route.ts";

/** The forms of the account page by which an owner invites others. */
export function addInvitationForms(post: AddForm, afterAnswer: AfterAnswer): void {
  post(
    "/console/invitations",
    async ({ context, session, fields, request, reply }) => {
      const { deps } = context;
      let send = async (): Promise<void> => undefined;
      // Asked for before anything is stored: where too much waits, the form is refused.
      afterAnswer(reply, () => send());
      const mail = await invite(deps, session, fields.invitee ?? "", request.id);
      if (mail !== null) send = () => deps.mailer.send(mail);
      return "The invitation is listed below. If a link can be sent to the address, it is on its way.";
    },
    true,
  );
  post("/console/invitations/:id/revoke", async ({ context, actor, session, params }) => {
    await withdrawInvitation(context.deps, actor, { id: params.id ?? "", ownerId: session.owner.id });
    return null;
  });
}
