import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import {
  FIRST_OWNER_EMAIL,
  makeConfiguredOwner,
  prepareFirstStart,
} from "../../../../shared/identity/owners/first-owner.ts";
import { createOwner, findLink } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../../../shared/platform/deps.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/cluster.ts";

const config = loadConfig({ SITE_URL: "http://localhost:3000", LOG_LEVEL: "silent" });
let database: TestDatabase;
let deps: Deps;

beforeEach(async () => {
  database = await createTestDatabase();
  const log = openLog("silent", "test");
  deps = await openDeps(config, { databaseUrl: database.url, works: false, maxConnections: 2, log });
});
afterEach(async () => {
  await closeDeps(deps);
});

test("an empty database gets an owner, a code and a link that works", async () => {
  const first = await prepareFirstStart(database.url, config);
  expect(first).toMatchObject({ ownerEmail: FIRST_OWNER_EMAIL, code: expect.stringMatching(/^bse_/) });
  const secret = first?.signInUrl.split("/").at(-1) ?? "";
  expect(first?.signInUrl).toBe(`http://localhost:3000/sign-in/${secret}`);
  expect(await findLink(deps, secret)).toEqual({ invited: null });
});

test("of five starts at once one gets it", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => prepareFirstStart(database.url, config)));
  expect(all.filter((first) => first !== null)).toHaveLength(1);
});

test("a database with an owner of its own is left alone", async () => {
  await createOwner(deps, COMMAND_LINE, { email: "nora@example.org", alias: null });
  expect(await prepareFirstStart(database.url, config)).toBeNull();
});

test("a first start that was killed before its code is taken up again", async () => {
  await createOwner(deps, COMMAND_LINE, { email: FIRST_OWNER_EMAIL, alias: null });
  expect((await prepareFirstStart(database.url, config))?.code).toMatch(/^bse_/);
  expect(await prepareFirstStart(database.url, config)).toBeNull();
});

test("the owner of FIRST_OWNER_EMAIL is made once and gets a link by mail, whichever process is first", async () => {
  const dataDir = await openFolder();
  const named = { ...config, dataDir, firstOwnerEmail: "Nora@example.org" };
  const log = openLog("silent", "test");
  const opened = await Promise.all(
    [1, 2, 3].map(() => openDeps(named, { databaseUrl: database.url, works: false, maxConnections: 2, log })),
  );
  const made = await Promise.all(opened.map(makeConfiguredOwner));
  expect(made.filter((id) => id !== null)).toHaveLength(1);
  expect(await prepareFirstStart(database.url, named)).toBeNull();
  for (const one of opened) await closeDeps(one);
  const mails = await readdir(join(dataDir, "mail"));
  expect(mails).toHaveLength(1);
  const mail = await readFile(join(dataDir, "mail", mails[0] ?? ""), "utf8");
  expect(mail).toMatch(/^To: nora@example\.org\nSubject: Sign in to Broadsheet\n/);
  const secret = /\/sign-in\/([\w-]{43})\n/.exec(mail)?.[1] ?? "";
  expect(await findLink(deps, secret)).toEqual({ invited: null });
});

test("npm start shows the code and the link of the owner of FIRST_OWNER_EMAIL; an owner that is there stays alone", async () => {
  const dataDir = await openFolder();
  const named = { ...config, dataDir, firstOwnerEmail: "nora@example.org" };
  const first = await prepareFirstStart(database.url, named);
  expect(first).toMatchObject({ ownerEmail: "nora@example.org", code: expect.stringMatching(/^bse_/) });
  expect(await findLink(deps, first?.signInUrl.split("/").at(-1) ?? "")).toEqual({ invited: null });
  const another = { ...named, firstOwnerEmail: "ida@example.org" };
  expect(await prepareFirstStart(database.url, another)).toBeNull();
  expect(await makeConfiguredOwner({ ...deps, config: another })).toBeNull();
});
