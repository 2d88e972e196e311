import {
  addDomain,
  checkDomain,
  hideDomain,
  removeDomain,
  showDomain,
} from "../../../shared/identity/owners/domains.ts";
import type { AddForm } from "../../http/console-route.ts";

/** The forms of the account page by which an owner proves domains and chooses the one that readers see. */
export function addDomainForms(post: AddForm): void {
  post("/console/domains", async ({ context, actor, session, fields }) => {
    await addDomain(context.deps, actor, session.owner.id, fields.domain ?? "");
    return null;
  });
  post("/console/domains/:id/check", async ({ context, actor, session, params }) => {
    const isProven = await checkDomain(context.deps, actor, session.owner.id, params.id ?? "");
    return isProven
      ? "The domain proves that it is yours."
      : "Nothing was found there yet. New DNS records can take an hour to be seen.";
  });
  post("/console/domains/:id/show", async ({ context, actor, session, params }) => {
    await showDomain(context.deps, actor, session.owner.id, params.id ?? "");
    return null;
  });
  post("/console/domains/:id/hide", async ({ context, actor, session, params }) => {
    await hideDomain(context.deps, actor, session.owner.id, params.id ?? "");
    return null;
  });
  post("/console/domains/:id/remove", async ({ context, actor, session, params }) => {
    await removeDomain(context.deps, actor, session.owner.id, params.id ?? "");
    return null;
  });
}
