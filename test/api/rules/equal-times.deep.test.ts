import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectEqualTimes } from "../../support/equal-times.ts";
import { mailsTo } from "../../support/mail-folder.ts";
import { csrfIn, openDashboard, sendForm } from "../../support/owner-dashboard.ts";
import { openService } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";
import { makeOwner, openPage } from "../routes/console/sign-in-steps.ts";
import { inviteFrom } from "../routes/console/sign-up-steps.ts";

const limits = { invitesPerOwner: 1000 };
const service = await openService({ workers: false, limits, config: { signUp: "invite" } });

const makeAddress = () => `mara-${randomUUID()}@example.net`;
const countMails = async () =>
  (await readdir(join(service.deps.config.dataDir, "mail")).catch(() => [])).length;

test("the time of the answer does not tell whether an invited address has an account", async () => {
  const owner = await openDashboard(service);
  const measure = async (email: string) => {
    const started = performance.now();
    expect((await inviteFrom(owner, email)).status).toBe(200);
    return performance.now() - started;
  };
  await expectEqualTimes(async () => {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 40; round++) {
      const { email } = await openDashboard(service);
      const fresh = makeAddress();
      const askKnown = async () => known.push(await measure(email));
      const askUnknown = async () => unknown.push(await measure(fresh));
      // Neither is always the one behind the other.
      for (const ask of round % 2 === 0 ? [askKnown, askUnknown] : [askUnknown, askKnown]) await ask();
      await until(async () => (await mailsTo(service, fresh)).length === 1, 10_000);
    }
    return [known, unknown];
  });
});

test("the time of the answer does not tell who has an account", async () => {
  const csrf = csrfIn(await openPage(service, "/sign-in"));
  const measure = async (email: string) => {
    const started = performance.now();
    await sendForm(service, "/sign-in", { csrf, email }, {});
    return performance.now() - started;
  };
  await expectEqualTimes(async () => {
    const known: number[] = [];
    const unknown: number[] = [];
    // An address gets ten mails an hour at most.
    for (let round = 0; round < 10; round++) {
      const { email } = await makeOwner(service);
      for (let at = 0; at < 10; at++) {
        const before = await countMails();
        const askKnown = async () => known.push(await measure(email));
        const askUnknown = async () => unknown.push(await measure(`${randomUUID()}@example.org`));
        // Neither is always the one behind the other.
        for (const ask of at % 2 === 0 ? [askUnknown, askKnown] : [askKnown, askUnknown]) await ask();
        await until(async () => (await countMails()) > before, 10_000);
      }
    }
    return [known, unknown];
  });
});
