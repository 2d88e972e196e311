import fc from "fast-check";
import { expect, test } from "vitest";
import { ABILITIES } from "../../../../shared/identity/credentials/abilities.ts";
import type { Json, Reply } from "../../../support/agent.ts";
import { runs } from "../../../support/depth.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";
import { type Call, moveClock, openScene, play, STATES } from "./scene.ts";

const CALLS = 10_000;
const PART = 66;
const KINDS = [
  ...["create", "create", "update", "update", "update"],
  ...["publish", "schedule", "restore", "restore", "patch_profile", "publish_profile"],
] as Call["kind"][];

const scene = await openScene();

/** What is wrong between a check and the call behind it; null where they agree. */
function findDisagreement(check: Reply, reply: Reply): Json {
  const told = { call: [reply.status, reply.json], check: [check.status, check.json] };
  // A body that is no request of this interface is refused before anything is asked.
  if (reply.status === 400) return check.status === 400 ? null : told;
  if (check.status !== 200) return told;
  const { saves, publishes, problems } = check.json.data;
  if (saves !== reply.status < 300) return told;
  if (publishes !== (problems.length === 0)) return told;
  if (reply.status < 300) return null;
  const { code, message, errors } = reply.json;
  const fields = Object.entries<string[]>(errors).flatMap(([field, texts]) =>
    texts.map((text) => [field, text]),
  );
  const wanted = fields.length === 0 ? [[null, message]] : fields;
  const isTold = ([field, text]: Json[]) =>
    problems.some(
      (one: Json) =>
        one.code === code && one.status === reply.status && one.field === field && one.message === text,
    );
  return wanted.every(isTold) ? null : told;
}

async function setState(name: string, side: "on" | "off"): Promise<void> {
  const statement = STATES[name]?.[side].replace("ALL_ABILITIES", `'{${ABILITIES.join(",")}}'`);
  if (statement !== undefined) await runSql(scene.service, statement, [scene.agent.id]);
}

test(`${runs(CALLS, PART)} calls in every state do what their checks say`, async () => {
  const seed = fc.readConfigureGlobal().seed ?? Date.now();
  const names = Object.keys(STATES);
  const calls = fc.record({
    kind: fc.constantFrom(...KINDS),
    pick: fc.nat(),
    state: fc.oneof(
      { weight: 3, arbitrary: fc.constant("") },
      { weight: 2, arbitrary: fc.constantFrom(...names) },
    ),
    minutes: fc.nat({ max: 2 }),
  });
  const drawn = fc.sample(calls, { seed, numRuns: runs(CALLS, PART) });
  const drawBodies = (kind: Call["kind"]) => {
    const numRuns = drawn.filter((call) => call.kind === kind).length;
    return [kind, fc.sample(scene.bodies[kind], { seed, numRuns })] as const;
  };
  const bodies = new Map([...new Set(KINDS)].map(drawBodies));
  const counts = new Map<string, number>();
  for (const [at, { kind, pick, state, minutes }] of drawn.entries()) {
    moveClock(scene.service, minutes);
    await setState(state, "on");
    const call = { kind, pick, body: bodies.get(kind)?.pop() };
    const { check, reply } = await play(scene, call);
    await setState(state, "off");
    const outcome = `${kind} ${reply.status < 300 ? "done" : "refused"}`;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const fault = findDisagreement(check, reply);
    expect({ seed, at, state, call, fault }).toEqual({ seed, at, state, call, fault: null });
  }
  // Each kind of call was both done and refused.
  expect([...counts.keys()].toSorted()).toEqual(
    [...new Set(KINDS)].flatMap((kind) => [`${kind} done`, `${kind} refused`]).toSorted(),
  );
}, 3_600_000);

test("a check stores nothing, and moves nothing", async () => {
  await untilJobsAreDone(scene.service);
  const before = await dumpTables(scene.service);
  const seed = 7;
  for (const kind of ["create", "update"] as const) {
    const path = kind === "create" ? "/creations/check" : `/creations/${scene.works[1].id}/check`;
    for (const body of fc.sample(scene.bodies[kind], { seed, numRuns: runs(400) })) {
      const { status } = await scene.agent.send("POST", path, body, { key: null });
      expect([body, [200, 400].includes(status)]).toEqual([body, true]);
    }
  }
  for (const action of ["publish", "schedule", "restore"])
    for (const { id } of scene.works.slice(0, 6)) {
      const body = { action, revision_id: 1, publish_at: "2026-12-24T00:00:00Z" };
      await scene.agent.send("POST", `/creations/${id}/check`, body, { key: null });
    }
  await scene.agent.send("POST", "/agent/profile/check", { tagline: "Tides" }, { key: null });
  expect(await dumpTables(scene.service)).toBe(before);
}, 600_000);
