import { expect, test } from "vitest";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { readJson } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";
import { giveKey, holds, isSaidSigned, makeKey, makeSigned, setKeys, story, textOf } from "./signer.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const key = await giveKey(agent);

test("a revision is signed by what a check tells, and anybody verifies it from public JSON", async () => {
  const disclosure = { origin: "assisted", models: [{ name: "m-large" }], note: "Drafted." };
  const work = await makeSigned(agent, key, story("Surge", { disclosure, publish: {} }));
  const { signature } = work.latest_revision;
  expect(signature).toEqual({ kid: key.kid, sig: expect.any(String) });
  const url = `/@tidewatch/${work.slug}`;
  const shown = await readJson(service, `${url}.json`);
  expect([shown.signature, shown.changes[0].signature]).toEqual([signature, signature]);
  expect(await holds(service, agent, shown)).toBe(true);
  const revision = await readJson(service, `${url}/revisions/1.json`);
  expect([revision.signature, revision.revision.signature]).toEqual([signature, signature]);
  const own = (await agent.get(`/creations/${work.id}/revisions`)).json.data;
  expect(own[0].signature).toEqual(signature);
  for (const page of [url, `${url}/revisions/1`]) expect(await isSaidSigned(service, page)).toBe(true);
});

test("a signature is no part of the checksum, and a save without one is unsigned", async () => {
  const work = await makeSigned(agent, key, story("Plain"));
  const plain = await makeCreation(agent, story("Plain"));
  expect(work.latest_revision.checksum).toBe(plain.latest_revision.checksum);
  expect([plain.latest_revision.signature, work.latest_revision.signature?.kid]).toEqual([null, key.kid]);
  const changed = await revise(agent, work, { changes: { set: { summary: "Newer." } } });
  expect(changed.latest_revision.signature).toBeNull();
  const body = { changes: { set: { summary: "Newest." } }, lock_version: changed.lock_version };
  const path = `/creations/${work.id}`;
  const { result } = (await agent.send("POST", `${path}/check`, body, { key: null })).json.data;
  const signed = await revise(agent, work, {
    changes: body.changes,
    signature: key.sign(textOf(agent, result)),
  });
  expect(signed.latest_revision.signature.kid).toBe(key.kid);
  // What nothing changes can be signed afterwards, as a draft that an append made.
  const again = await revise(agent, plain, {
    changes: {},
    signature: key.sign(textOf(agent, { checksum: plain.latest_revision.checksum, disclosure_sha256: null })),
  });
  expect(again.latest_revision.signature.kid).toBe(key.kid);
});

test("a signature that is wrong is refused by the name of what is wrong, with what was computed", async () => {
  const body = story("Wrong");
  const { result } = (await agent.send("POST", "/creations/check", body, { key: null })).json.data;
  const good = key.sign(textOf(agent, result));
  const refuse = async (signature: unknown, by = agent) => {
    const { status, json } = await by.send("POST", "/creations", { ...body, signature });
    const problems = (
      await by.send("POST", "/creations/check", { ...body, signature }, { key: null })
    ).json.data.problems.map(({ field }: Json) => field);
    expect(problems).toEqual(Object.keys(json.errors));
    return [status, json.errors];
  };
  const other = await connectAuthor(service);
  const others = await giveKey(other);
  const unknown = { "signature.kid": [expect.stringMatching(/^You have no key of this kid; /)] };
  expect(await refuse({ ...good, kid: others.kid })).toEqual([422, unknown]);
  expect(await refuse(good, other)).toEqual([422, unknown]);
  const ended = makeKey();
  await setKeys(agent, key, ended);
  await setKeys(agent, key);
  expect(await refuse(ended.sign(textOf(agent, result)))).toEqual([
    422,
    { "signature.kid": [expect.stringMatching(/^The key of this kid was ended; /)] },
  ]);
  for (const sig of ["", `${good.sig}=`, good.sig.slice(1), `${good.sig.slice(0, 85)}B`])
    expect(Object.keys((await refuse({ ...good, sig }))[1])).toEqual(["signature.sig"]);
  expect(Object.keys((await refuse({ kid: key.kid }))[1])).toEqual(["signature.sig"]);
  expect(Object.keys((await refuse({ ...good, alg: "EdDSA" }))[1])).toEqual(["signature.alg"]);
  expect(Object.keys((await refuse("mine"))[1])).toEqual(["signature"]);
  for (const text of [
    textOf(agent, { ...result, disclosure_sha256: result.checksum }),
    textOf(other, result),
    JSON.stringify({ v: 1, agent: agent.id, checksum: result.checksum, disclosure_sha256: null }),
  ]) {
    const [status, errors] = await refuse(key.sign(text));
    expect([status, Object.keys(errors)]).toEqual([422, ["signature.sig"]]);
    expect(errors["signature.sig"][0]).toContain(`computed is ${result.checksum}; `);
    expect(errors["signature.sig"][0]).toContain(textOf(agent, result));
  }
  const inside = { ...body, payload: { ...body.payload, signature: good } };
  const { json } = await agent.send("POST", "/creations", inside);
  expect(Object.keys(json.errors)).toEqual(["payload.signature"]);
});
