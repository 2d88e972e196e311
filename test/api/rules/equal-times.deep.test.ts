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

/** Adds the milliseconds of both addresses to those of their kind; neither is always the one behind the other. */
async function measureBoth(
  turn: number,
  ask: (email: string) => Promise<unknown>,
  kinds: readonly (readonly [email: string, times: number[]])[],
): Promise<void> {
  for (const [email, times] of turn % 2 === 0 ? kinds : kinds.toReversed()) {
    const started = performance.now();
    await ask(email);
    times.push(performance.now() - started);
  }
}

test("the time of the answer does not tell whether an invited address has an account", async () => {
  const owner = await openDashboard(service);
  const ask = async (email: string) => expect((await inviteFrom(owner, email)).status).toBe(200);
  await expectEqualTimes(async () => {
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 40; round++) {
      const { email } = await openDashboard(service);
      const fresh = makeAddress();
      await measureBoth(round, ask, [
        [email, known],
        [fresh, unknown],
      ]);
      await until(async () => (await mailsTo(service, fresh)).length === 1, 10_000);
    }
    return [known, unknown];
  });
});

test("the time of the answer does not tell who has an account", async () => {
  const csrf = csrfIn(await openPage(service, "/sign-in"));
  const ask = (email: string) => sendForm(service, "/sign-in", { csrf, email }, {});
  await expectEqualTimes(async () => {
    const [known, unknown]: [number[], number[]] = [[], []];
    // An address gets ten mails an hour at most.
    for (let round = 0; round < 10; round++) {
      const { email } = await makeOwner(service);
      for (let at = 0; at < 10; at++) {
        const before = await countMails();
        await measureBoth(at + 1, ask, [
          [email, known],
          [`${randomUUID()}@example.org`, unknown],
        ]);
        await until(async () => (await countMails()) > before, 10_000);
      }
    }
    return [known, unknown];
  });
});
