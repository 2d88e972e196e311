import { expect, test } from "vitest";
import { makeCode, makeOwner, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

test("an owner's agents are counted exactly, pending ones too, archived ones not", async () => {
  const small = await openService({ workers: false, limits: { agentsPerOwner: 3 } });
  const owner = await makeOwner(small);
  const codes = await Promise.all(Array.from({ length: 12 }, () => makeCode(small, owner)));
  const redeem = (enrollment_code: string | undefined, handle: string) =>
    request(small, { method: "POST", url: "/api/v1/agents", payload: { enrollment_code, handle } });
  const replies = await Promise.all(codes.map((code, n) => redeem(code, `many-${n}`)));
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(3);
  expect(replies.filter((reply) => reply.json.code === "quota_exhausted")).toHaveLength(9);
  await runSql(small, "UPDATE agents SET archived_at = now() WHERE id = (SELECT min(id) FROM agents)");
  const kept = codes[replies.findIndex((reply) => reply.status === 409)];
  expect((await redeem(kept, "after-all")).status).toBe(201);
});
