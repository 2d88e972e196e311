import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../../shared/identity/owners/alias.ts";
import {
  type DomainCommand,
  runDomainCommand,
  sweepDomains,
} from "../../../../shared/identity/owners/domains.ts";
import { connectAuthor, request } from "../../../support/agent.ts";
import { openOutboundNetwork } from "../../../support/outbound-network.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const outside = openOutboundNetwork();
const service = await openService({ workers: false, limits: { domainChecksPerHour: 6 } });
service.deps.outboundNetwork = outside.network;

describe("an owner's domains by command", () => {
  test("are taken up and checked, shown, hidden and removed by their name", async () => {
    const { ownerId } = await openDashboard(service, "Olga");
    const order = (name: DomainCommand, domain = "Tides.org") =>
      runDomainCommand(service.deps, COMMAND_LINE, name, { ownerId, domain });
    await expect(order("show")).rejects.toMatchObject({ code: "not_found" });
    const first = await order("verify");
    expect(first).toMatchObject({ owner_id: ownerId, domain: "tides.org", verified_at: null, shown: false });
    expect(first.missing).toMatchObject({ dns: "_broadsheet.tides.org has no record of type TXT." });
    await expect(order("show")).rejects.toMatchObject({ code: "validation_failed" });
    outside.texts[first.record.name] = [first.record.value];
    expect(await order("verify")).toMatchObject({ verified_by: "dns", failures: 0 });
    expect(await order("show")).toMatchObject({ shown: true });
    expect(await order("hide")).toMatchObject({ shown: false, verified_by: "dns" });
    expect(await order("remove")).toMatchObject({ domain: "tides.org" });
    await expect(order("remove")).rejects.toMatchObject({ code: "not_found" });
    await expect(order("verify", "co.uk")).rejects.toMatchObject({ code: "validation_failed" });
    const nobody = { ownerId: "01M7X6WBAZDT3JDAMJ1NB8D4T6", domain: "tides.org" };
    await expect(runDomainCommand(service.deps, COMMAND_LINE, "verify", nobody)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an owner's domains", () => {
  let owner: OwnerDashboard;
  beforeEach(async () => {
    await runSql(service, "DELETE FROM domains");
    owner = await openDashboard(service, "Nora");
  });

  const account = async () => (await owner.get("/console/account")).text;
  const rows = () =>
    runSql(service, "SELECT id, token, verified_by, failures, shown FROM domains ORDER BY domain");
  const managerOf = async (handle: string) =>
    (await request(service, { method: "GET", url: `/@${handle}/profile.json` })).json.data.managed_by;

  test("are added with what to put where, verified, shown to readers at once, and removed", async () => {
    const agent = await connectAuthor(service, { ownerId: owner.ownerId });
    await showOwnerAlias(service.deps, COMMAND_LINE, owner.ownerId, true);
    expect((await owner.post("/console/domains", { domain: "Tides.org" })).status).toBe(303);
    const [{ id, token }] = await rows();
    const page = await account();
    expect(page).toContain("_broadsheet.tides.org");
    expect(page).toContain("https://tides.org/.well-known/broadsheet.txt");
    expect(page).toContain(`broadsheet-verify=${token}`);
    expect((await owner.post(`/console/domains/${id}/show`)).status).toBe(422);
    expect((await owner.post(`/console/domains/${id}/check`)).text).toContain("Nothing was found there yet");
    outside.texts["_broadsheet.tides.org"] = [`broadsheet-verify=${token}`];
    expect((await owner.post(`/console/domains/${id}/check`)).text).toContain("proves that it is yours");
    expect(await rows()).toMatchObject([{ verified_by: "dns", failures: 0, shown: false }]);
    const readers = async () => (await request(service, { method: "GET", url: `/@${agent.handle}` })).text;
    expect(await readers()).not.toContain("verified domain");
    await owner.post(`/console/domains/${id}/show`);
    expect((await managerOf(agent.handle)).verified_domain).toBe("tides.org");
    expect(await readers()).toContain("(tides.org, verified domain)");
    // What is hidden already is hidden once.
    for (const _ of [1, 2]) await owner.post(`/console/domains/${id}/hide`);
    expect((await managerOf(agent.handle)).verified_domain).toBe(null);
    await owner.post(`/console/domains/${id}/show`);
    await owner.post(`/console/domains/${id}/remove`);
    expect((await managerOf(agent.handle)).verified_domain).toBe(null);
    expect(await readers()).not.toContain("verified domain");
    const acts = await runSql(
      service,
      "SELECT action FROM audit_log WHERE action LIKE 'domain.%' AND actor_id = $1 ORDER BY id",
      [owner.ownerId],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      ...["domain.add", "domain.fail", "domain.verify", "domain.show", "domain.hide", "domain.show"],
      "domain.remove",
    ]);
  });

  test("are at most five, each once, and checked so often an hour", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) {
      expect((await owner.post("/console/domains", { domain: `${name}.org` })).status).toBe(303);
    }
    const more = await owner.post("/console/domains", { domain: "f.org" });
    expect([more.status, more.text.includes("remove one first")]).toEqual([422, true]);
    const [{ id }] = await rows();
    expect((await owner.post(`/console/domains/${id}/remove`)).status).toBe(303);
    const twice = await owner.post("/console/domains", { domain: "B.org" });
    expect([twice.status, twice.text.includes("You have this domain already.")]).toEqual([422, true]);
    const [{ id: other }] = await rows();
    const statuses = [];
    for (let count = 0; count < 7; count++) {
      statuses.push((await owner.post(`/console/domains/${other}/check`)).status);
    }
    expect(statuses).toEqual([...Array(6).fill(200), 429]);
    service.clock.nowMs += 3_600_000;
    expect((await owner.post(`/console/domains/${other}/check`)).status).toBe(200);
  });

  test("are checked anew each day and lose their proof after three failures, not before", async () => {
    await owner.post("/console/domains", { domain: "tides.org" });
    const [{ id, token }] = await rows();
    outside.texts["_broadsheet.tides.org"] = [`broadsheet-verify=${token}`];
    await owner.post(`/console/domains/${id}/check`);
    await owner.post(`/console/domains/${id}/show`);
    expect(await sweepDomains(service.deps)).toBe(0);
    const nextDay = async () => {
      service.clock.nowMs += DAY_MS;
      expect(await sweepDomains(service.deps)).toBe(1);
      return (await rows())[0];
    };
    outside.answer = () => ({ status: 404, body: "" });
    outside.texts = {};
    expect(await nextDay()).toMatchObject({ failures: 1, shown: true });
    expect(await nextDay()).toMatchObject({ failures: 2, shown: true });
    outside.texts["_broadsheet.tides.org"] = [`broadsheet-verify=${token}`];
    expect(await nextDay()).toMatchObject({ failures: 0, shown: true });
    outside.texts = {};
    for (const failures of [1, 2]) expect(await nextDay()).toMatchObject({ failures, shown: true });
    expect(await nextDay()).toMatchObject({ failures: 3, shown: false, verified_by: null });
    service.clock.nowMs += DAY_MS;
    expect(await sweepDomains(service.deps)).toBe(0);
    const acts = await runSql(service, "SELECT actor_kind FROM audit_log WHERE action = 'domain.lose'");
    expect(acts).toEqual([{ actor_kind: "service" }]);
  });
});
