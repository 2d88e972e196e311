import { beforeAll, describe, expect, test } from "vitest";
import { NOBODY, openCommandLine } from "../support/command-line.ts";

const { cli, query, auditOf, makeOwner, redeem, makeAgent } = await openCommandLine();

describe("code and claim", () => {
  const REFUSED = "refused@example.org";
  beforeAll(async () => {
    await makeOwner(REFUSED);
  });

  test.for([
    [[], 24 * 3600],
    [["--hours", "0.5"], 1800],
    [["--hours", "0"], 0],
  ] as const)("issue %j makes a code that works for %d seconds", async ([more, seconds]) => {
    const owner = await makeOwner(`hours-${seconds}@example.org`);
    const issued = (await cli("code", "issue", "--owner", owner, ...more)).json();
    expect(issued.enrollment_code).toMatch(/^bse_[0-9A-Z]{6}(-[0-9A-Z]{6}){3}$/);
    const [row] = await query<{ lasts: number }>(
      "SELECT extract(epoch FROM expires_at - created_at)::float8 AS lasts FROM enrollments WHERE id = $1",
      [issued.enrollment_id],
    );
    expect(row?.lasts).toBe(seconds);
    expect(await auditOf(issued.enrollment_id)).toEqual(["command enrollment.issue"]);
  });

  test("issue narrows the token and fixes the handle", async () => {
    const owner = await makeOwner("narrow@example.org");
    const more = ["--handle", "tidewatch", "--abilities", "assets:write, agent:read"];
    const issued = (await cli("code", "issue", "--owner", owner, ...more)).json();
    const rows = await query("SELECT handle, abilities FROM enrollments WHERE id = $1", [
      issued.enrollment_id,
    ]);
    expect(rows).toEqual([{ handle: "tidewatch", abilities: ["agent:read", "assets:write"] }]);
  });

  test.for([
    [["--owner", "x"], "owner", "--owner takes an e-mail address such as nora@example.org, or an id."],
    [
      ["--owner", NOBODY, "--hours", "-1"],
      "hours",
      "--hours takes a number from 0 to 8760, such as 24 or 0.5.",
    ],
    [
      ["--owner", NOBODY, "--hours", "1e9"],
      "hours",
      "--hours takes a number from 0 to 8760, such as 24 or 0.5.",
    ],
    [["--owner", REFUSED, "--handle", "api"], "handle", "The handle api is reserved; choose another one."],
  ] as const)("issue %j is refused", async ([args, field, sentence]) => {
    const refusal = (await cli("code", "issue", ...args)).refusal();
    expect(refusal).toEqual({
      code: "validation_failed",
      message: sentence,
      errors: { [field]: [sentence] },
    });
  });

  test("issue refuses an ability that does not exist and an owner that does not", async () => {
    const owner = await makeOwner("able@example.org");
    const unknown = (await cli("code", "issue", "--owner", owner, "--abilities", "agent:read,fly")).refusal();
    expect(unknown.errors).toHaveProperty("abilities");
    const misspelt = await cli("code", "issue", "--owner", owner, "--abilities", "creations:wirte");
    expect(misspelt.refusal().errors?.abilities?.[0]).toMatch(/\. Did you mean creations:write\?$/);
    expect((await cli("code", "issue", "--owner", NOBODY)).refusal().code).toBe("not_found");
  });

  test("an owner is named by e-mail address and an agent by handle, as people know them", async () => {
    const owner = await makeOwner("known@example.org");
    const { enrollment_code } = (await cli("code", "issue", "--owner", "Known@example.org")).json();
    const agent = await redeem(enrollment_code, "known-agent");
    const confirmed = await cli("claim", "confirm", "--agent", "@known-agent");
    expect(confirmed.json()).toEqual({ agent_id: agent, status: "active" });
    expect((await cli("agent", "pause", "--agent", "known-agent")).json().status).toBe("paused");
    expect((await cli("owner", "suspend", "--owner", "known@example.org")).json().owner_id).toBe(owner);
    const near = (await cli("agent", "resume", "--agent", "@known-agnet")).refusal();
    expect(near.message).toBe("There is no agent with the handle @known-agnet. Did you mean @known-agent?");
    const queue = (await cli("jobs", "retry", "--queue", "build-fed")).refusal();
    expect(queue.message).toContain("Did you mean build-feed?");
  });

  test("reissue makes a code that connects a known agent anew and ends the one before it", async () => {
    const { agent } = await makeAgent("reissue@example.org", "reissued");
    const first = (await cli("code", "reissue", "--agent", agent)).json();
    const second = (await cli("code", "reissue", "--agent", agent, "--hours", "1")).json();
    expect(await redeem(second.enrollment_code, "reissued")).toBe(agent);
    await expect(redeem(first.enrollment_code, "reissued")).rejects.toThrow("cancelled");
    expect((await cli("code", "reissue", "--agent", NOBODY)).refusal().code).toBe("not_found");
    await cli("agent", "archive", "--agent", agent);
    expect((await cli("code", "reissue", "--agent", agent)).refusal().code).toBe("agent_not_active");
  });

  test("revoke ends an open code, once", async () => {
    const owner = await makeOwner("revoke@example.org");
    const { enrollment_id } = (await cli("code", "issue", "--owner", owner)).json();
    const revoked = await cli("code", "revoke", "--enrollment", String(enrollment_id));
    expect(revoked.json()).toEqual({ enrollment_id, status: "revoked" });
    const again = await cli("code", "revoke", "--enrollment", String(enrollment_id));
    expect(again.refusal().code).toBe("not_found");
    expect(await auditOf(enrollment_id)).toEqual(["command enrollment.issue", "command enrollment.revoke"]);
  });

  test("claim confirm makes a pending agent active, and again changes nothing", async () => {
    const { agent: id } = await makeAgent("claim@example.org", "claimed-one");
    const answer = { agent_id: id, status: "active" };
    expect((await cli("claim", "confirm", "--agent", id)).json()).toEqual(answer);
    expect((await cli("claim", "confirm", "--agent", id)).json()).toEqual(answer);
    expect((await auditOf(id)).filter((line) => line === "command agent.claim")).toHaveLength(1);
    expect((await cli("claim", "confirm", "--agent", NOBODY)).refusal().code).toBe("not_found");
    await cli("agent", "archive", "--agent", id);
    expect((await cli("claim", "confirm", "--agent", id)).refusal().code).toBe("agent_not_active");
  });

  test("agent tokens lists those of an agent without their texts, and ends one", async () => {
    const { agent } = await makeAgent("tokens@example.org", "tokened");
    const end = async (id: string) => await cli("agent", "tokens", "--agent", "@tokened", "--end", id);
    const { tokens } = (await cli("agent", "tokens", "--agent", agent)).json() as {
      tokens: { id: string }[];
    };
    expect(tokens).toEqual([expect.objectContaining({ prefix: expect.stringMatching(/^.{8}$/) })]);
    expect((await end(NOBODY)).refusal().code).toBe("not_found");
    const [{ id } = { id: "" }] = tokens;
    expect((await end(id)).json()).toEqual({ agent_id: agent, tokens: [] });
    expect(await auditOf(id)).toEqual(["command token.revoke"]);
  });
});
