import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Json } from "../../../support/agent.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService } from "../../../support/service.ts";
import { invitationsOf, inviteFrom, linkTo, ownersOf, press } from "./sign-up-steps.ts";

const limits = { invitesPerOwner: 1000 };
const service = await openService({ workers: false, limits, config: { signUp: "invite" } });

const makeAddress = () => `mara-${randomUUID()}@example.net`;
const cli = (...args: string[]) => runBeside(service, args);

test("a link that is pressed while it is withdrawn, its inviter leaves, or its address is taken, works or does not", async () => {
  for (let round = 0; round < 8; round++) {
    const [owner, other] = [await openDashboard(service), await openDashboard(service)];
    const email = makeAddress();
    await inviteFrom(owner, email);
    const path = await linkTo(service, email);
    await inviteFrom(other, email);
    const second = await linkTo(service, email, 2);
    const [{ id }] = await invitationsOf(service, owner.ownerId);
    const acts = [
      () => press(service, path),
      () => owner.post(`/console/invitations/${id}/revoke`),
      () => press(service, second),
      () => owner.post("/console/leave", { confirm: owner.email }),
      () => press(service, path),
      () => other.post("/console/sessions/end-all"),
    ];
    const begun = [...acts.slice(round % acts.length), ...acts.slice(0, round % acts.length)];
    const statuses = (await Promise.all(begun.map((act) => act()))).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 303, 401, 403, 404].includes(status))).toEqual([]);
    expect(await ownersOf(service, email)).toHaveLength(1);
  }
});

test("operators list, find and show invitations, and withdraw one; no answer holds what opens it", async () => {
  const owner = await openDashboard(service);
  const email = makeAddress();
  await inviteFrom(owner, email);
  const path = await linkTo(service, email);
  const [{ id, secret_hash }] = await invitationsOf(service, owner.ownerId);
  const listed = (await cli("invitation", "list", "--owner", owner.email, "--state", "open")).json() as Json;
  expect(listed.data).toMatchObject([{ id, email, state: "open", owner_email: owner.email, used_at: null }]);
  const found = (await cli("invitation", "find", email.slice(0, 20))).json() as Json;
  expect(found.data).toEqual(listed.data);
  expect((await cli("invitation", "show", "--invitation", id)).json()).toEqual(listed.data[0]);
  expect(JSON.stringify(listed)).not.toContain(secret_hash);
  const withdrawn = (await cli("invitation", "revoke", "--invitation", id)).json();
  expect(withdrawn).toEqual({ invitation_id: id, status: "revoked" });
  expect((await press(service, path)).status).toBe(404);
  for (const wrong of [id, "nothing"]) {
    expect((await cli("invitation", "revoke", "--invitation", wrong)).refusal().code).toBe("not_found");
  }
  const misspelt = (await cli("invitation", "list", "--state", "opens")).refusal();
  expect(misspelt.message).toContain("Did you mean open?");
  const acts = (await cli("audit", "list", "--action", "invitation", "--subject", id)).json() as Json;
  expect(acts.data.map(({ action, actor_kind }: Json) => [action, actor_kind])).toEqual([
    ["invitation.revoke", "command"],
    ["invitation.create", "owner"],
  ]);
});
