import { hasAnyEnrollment } from "../../../sql/identity/enrollments.ts";
import { findOwnerByEmail, hasAnyOwner } from "../../../sql/identity/owners.ts";
import { withLock } from "../../../sql/platform/locks.ts";
import type { Config } from "../../platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../platform/deps.ts";
import { openLog } from "../../platform/telemetry/log.ts";
import { issueCode } from "../agents/enrolment-codes.ts";
import { SERVICE } from "../audit/record-act.ts";
import { createOwner, mailSignInLink, makeSignInLink } from "../sign-in/sign-in-links.ts";

/** The first owner's address: it names this machine and receives no mail, so that no stranger gets any. */
export const FIRST_OWNER_EMAIL = "owner@localhost.localdomain";

/**
 * Makes the owner of FIRST_OWNER_EMAIL and mails a sign-in link, where the service has no owner yet; never again after
 * that. Returns the owner's id, or null where nothing was made, as in all but one of several processes.
 */
export async function makeConfiguredOwner(deps: Deps): Promise<string | null> {
  const { firstOwnerEmail } = deps.config;
  if (firstOwnerEmail === undefined) return null;
  return await withLock(deps.pool, FIRST_START, async () => {
    if (await hasAnyOwner(deps.pool)) return null;
    const owner = await createOwner(deps, SERVICE, { email: firstOwnerEmail, alias: null });
    await mailSignInLink(deps, owner.email, null);
    return owner.owner_id;
  });
}

/** Of processes that start at once, one makes the first owner. */
const FIRST_START = { name: "first-start", waits: true };

/** What a first start shows the operator, once. */
export type FirstStart = Awaited<ReturnType<typeof describeOwner>>;

/**
 * Creates the first owner, an enrolment code and a sign-in link on a migrated database without owners.
 * FIRST_OWNER_EMAIL names that owner, who also gets the link by mail. Returns null at every later start, and in all but
 * one of several processes that start at once.
 */
export async function prepareFirstStart(databaseUrl: string, config: Config): Promise<FirstStart | null> {
  const log = openLog("silent", "start");
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 3, log });
  try {
    const configured = await makeConfiguredOwner(deps);
    if (configured !== null && config.firstOwnerEmail !== undefined)
      return await describeOwner(deps, configured, config.firstOwnerEmail.toLowerCase());
    return await withLock(deps.pool, FIRST_START, async () =>
      (await isFirstStart(deps)) ? await makeFirstOwner(deps) : null,
    );
  } finally {
    await closeDeps(deps);
  }
}

/** A first start that was killed half-way left its owner without a code; the next one continues. */
async function isFirstStart({ pool }: Deps): Promise<boolean> {
  const first = await findOwnerByEmail(pool, FIRST_OWNER_EMAIL);
  if (first !== null) return !(await hasAnyEnrollment(pool, first.id));
  return !(await hasAnyOwner(pool));
}

async function makeFirstOwner(deps: Deps): Promise<FirstStart> {
  const found = await findOwnerByEmail(deps.pool, FIRST_OWNER_EMAIL);
  const ownerId =
    found?.id ?? (await createOwner(deps, SERVICE, { email: FIRST_OWNER_EMAIL, alias: null })).owner_id;
  return await describeOwner(deps, ownerId, FIRST_OWNER_EMAIL);
}

async function describeOwner(deps: Deps, ownerId: string, ownerEmail: string) {
  const link = await makeSignInLink(deps, SERVICE, ownerEmail);
  // The code comes last, because a later start checks for the code.
  const issued = await issueCode(deps, SERVICE, { ownerId, handle: null });
  return { code: issued.enrollment_code, signInUrl: link.url, ownerEmail };
}
