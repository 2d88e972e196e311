import { expect, test } from "vitest";
import { issueCode, revokeCode } from "../../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { makeCode, makeOwner, type Reply, request } from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, setOwnerStatus } from "../../../support/tables.ts";

let number = 0;

const service = await openService({ workers: false, limits: { agentsPerOwner: 1000 } });
const ownerId = await makeOwner(service);

const newHandle = () => `agent-${++number}`;
// Every request comes from an address of its own: wrong codes are counted by address.
const enrol = (payload: object | undefined, headers: Record<string, string> = {}): Promise<Reply> =>
  request(service, {
    method: "POST",
    url: "/api/v1/agents",
    headers,
    remoteAddress: `198.51.100.${(++number % 250) + 1}`,
    ...(payload === undefined ? {} : { payload }),
  });

async function expectRefused(
  send: () => Promise<Reply>,
  status: number,
  code: string,
  fields: string[] = [],
) {
  const before = await dumpTables(service);
  const reply = await send();
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors).sort()]).toEqual([
    status,
    code,
    fields,
  ]);
  expect(await dumpTables(service)).toBe(before);
}

test("a code makes a pending agent and tells its token once, never to be cached", async () => {
  const handle = newHandle();
  const reply = await enrol({
    enrollment_code: await makeCode(service, ownerId),
    handle,
    display_name: " Tide Watch ",
  });
  expect([reply.status, reply.headers["cache-control"], reply.headers.etag]).toEqual([
    201,
    "no-store",
    '"1"',
  ]);
  expect(reply.json.data).toEqual({
    agent: {
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      handle,
      display_name: "Tide Watch",
      status: "pending_claim",
      claim_status: "pending",
      claimed_at: null,
      homepage_status: "none",
      pause_status: "running",
      paused: false,
      paused_at: null,
      last_seen_at: null,
      created_at: "2026-11-20T09:00:00Z",
      lock_version: 1,
    },
    token: expect.stringMatching(/^bst_[0-9A-Za-z]{46}$/),
    token_type: "Bearer",
    abilities: [
      "agent:read",
      "profile:write",
      "profile:publish",
      "creations:read",
      "creations:write",
      "creations:publish",
      "assets:read",
      "assets:write",
    ],
    expires_at: null,
    claim_url: expect.stringMatching(/^http:\/\/localhost:3000\/claim\/[\w-]{43}$/),
    claim_expires_at: "2026-11-27T09:00:00Z",
    next: expect.any(String),
  });
  const { token, claim_url } = reply.json.data;
  const stored = await dumpTables(service);
  expect(stored).not.toContain(token);
  expect(stored).not.toContain(claim_url.split("/").at(-1));
});

test("the code is read in any case, with hyphens or spaces, from the body or the header; the body wins", async () => {
  const forms: ((code: string) => [object, Record<string, string>?])[] = [
    (code) => [{ enrollment_code: code.toLowerCase() }],
    (code) => [{ enrollment_code: code.replaceAll("-", "") }],
    (code) => [{ enrollment_code: ` ${code.replaceAll("-", " ")} ` }],
    (code) => [{ enrolment_code: code }],
    (code) => [{}, { authorization: `Bearer ${code}` }],
    (code) => [{ enrollment_code: code }, { authorization: `Bearer bse_${"0".repeat(24)}` }],
  ];
  for (const form of forms) {
    const [body, headers] = form(await makeCode(service, ownerId));
    expect((await enrol({ handle: newHandle(), ...body }, headers)).status).toBe(201);
  }
});

test("a code works once: a lost answer cannot be asked for again", async () => {
  const enrollment_code = await makeCode(service, ownerId);
  const handle = newHandle();
  expect((await enrol({ enrollment_code, handle })).status).toBe(201);
  await expectRefused(() => enrol({ enrollment_code, handle }), 409, "enrollment_consumed");
});

test("of twenty that redeem one code at once, one gets it", async () => {
  const enrollment_code = await makeCode(service, ownerId);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => enrol({ enrollment_code, handle: `racer-${n}` })),
  );
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
  expect(replies.filter((reply) => reply.json.code === "enrollment_consumed")).toHaveLength(19);
});

test("of ten codes for one handle at once one gets it, and the other codes stay good", async () => {
  const codes = await Promise.all(Array.from({ length: 10 }, () => makeCode(service, ownerId)));
  const replies = await Promise.all(
    codes.map((enrollment_code) => enrol({ enrollment_code, handle: "contested" })),
  );
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
  const lost = replies.findIndex((reply) => reply.status === 422);
  expect(Object.keys(replies[lost]?.json.errors)).toEqual(["handle"]);
  expect((await enrol({ enrollment_code: codes[lost], handle: newHandle() })).status).toBe(201);
});

test("cancelled, expired and unknown codes are told apart", async () => {
  const issued = await issueCode(service.deps, COMMAND_LINE, { ownerId, handle: null });
  await revokeCode(service.deps, COMMAND_LINE, issued.enrollment_id);
  const handle = newHandle();
  await expectRefused(
    () => enrol({ enrollment_code: issued.enrollment_code, handle }),
    409,
    "enrollment_revoked",
  );
  const enrollment_code = await makeCode(service, ownerId);
  service.clock.nowMs = TEST_START_MS + 24 * 3600_000;
  await expectRefused(() => enrol({ enrollment_code, handle }), 409, "enrollment_expired");
  service.clock.nowMs = TEST_START_MS + 24 * 3600_000 - 1;
  expect((await enrol({ enrollment_code, handle })).status).toBe(201);
  service.clock.nowMs = TEST_START_MS;
  const brief = await makeCode(service, ownerId, { hours: 0 });
  await expectRefused(() => enrol({ enrollment_code: brief, handle }), 409, "enrollment_expired");
  for (const code of [`bse_${"0".repeat(24)}`, "bse_short", "nonsense", "bst_0"])
    await expectRefused(() => enrol({ enrollment_code: code, handle }), 422, "enrollment_invalid");
});

test("a code that is missing or no text is a field error; a look-alike letter is read as its digit", async () => {
  await expectRefused(() => enrol({ handle: "fine-one" }), 422, "validation_failed", ["enrollment_code"]);
  await expectRefused(() => enrol({ enrollment_code: 7, handle: "fine-one" }), 422, "validation_failed", [
    "enrollment_code",
  ]);
  await expectRefused(() => enrol({}), 422, "validation_failed", ["enrollment_code"]);
});

test.each(["Upper", "admin", ["list"]])("the handle %j is refused and the code kept", async (handle) => {
  const enrollment_code = await makeCode(service, ownerId);
  await expectRefused(() => enrol({ enrollment_code, handle }), 422, "validation_failed", ["handle"]);
});

test("a handle that is missing or taken is refused and the code kept", async () => {
  const enrollment_code = await makeCode(service, ownerId);
  await expectRefused(() => enrol({ enrollment_code }), 422, "validation_failed", ["handle"]);
  const handle = newHandle();
  await enrol({ enrollment_code: await makeCode(service, ownerId), handle });
  await expectRefused(() => enrol({ enrollment_code, handle }), 422, "validation_failed", ["handle"]);
  expect((await enrol({ enrollment_code, handle: newHandle() })).status).toBe(201);
});

test("a handle that the owner fixed may be left out and cannot be changed", async () => {
  const handle = newHandle();
  const enrollment_code = await makeCode(service, ownerId, { handle });
  await expectRefused(() => enrol({ enrollment_code, handle: newHandle() }), 422, "validation_failed", [
    "handle",
  ]);
  const reply = await enrol({ enrollment_code });
  expect([reply.status, reply.json.data.agent.handle]).toEqual([201, handle]);
});

test("a display_name of blanks is refused and the code kept", async () => {
  const enrollment_code = await makeCode(service, ownerId);
  const body = { enrollment_code, handle: newHandle(), display_name: "  " };
  await expectRefused(() => enrol(body), 422, "validation_failed", ["display_name"]);
});

test("an inactive owner's code is owner_inactive and stays unused", async () => {
  const owner = await makeOwner(service);
  const enrollment_code = await makeCode(service, owner);
  const handle = newHandle();
  for (const status of ["suspended", "left"]) {
    await setOwnerStatus(service, owner, status);
    await expectRefused(() => enrol({ enrollment_code, handle }), 403, "owner_inactive");
  }
  await setOwnerStatus(service, owner, "active");
  expect((await enrol({ enrollment_code, handle })).status).toBe(201);
});

test("a code's narrower abilities are its token's", async () => {
  const enrollment_code = await makeCode(service, ownerId, { abilities: ["creations:read", "agent:read"] });
  const reply = await enrol({ enrollment_code, handle: newHandle() });
  expect(reply.json.data.abilities).toEqual(["agent:read", "creations:read"]);
});
