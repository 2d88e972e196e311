import { randomInt } from "node:crypto";
import { Agent, Enrolled, Failure, IssuedCode, Owner, SignInLink } from "./answers.ts";
import { type AgentClient, type Answer, ask, askFor, openClient, type RunCli, readJson } from "./client.ts";
import { hold, type Step } from "./steps.ts";

const HANDLE = "rainwatch";
export const DISPLAY_NAME = "Rain Watch";
const CREATED = 201;
const UNPROCESSABLE = 422;

/** The stage of the play: the site, and the operators' commands on it. */
export interface Stage {
  site: string;
  cli: RunCli;
}

/** An agent that may work, and the address its owner signs in with. */
export type Player = Awaited<ReturnType<typeof enrol>>;

/** Makes an owner and an agent that the owner has confirmed. */
export async function enrol({ site, cli }: Stage, step: Step) {
  // An owner of its own each time, so that the play can be given again on the same data folder.
  const ownerEmail = `demo-${Date.now().toString(36)}@localhost.localdomain`;
  const owner = await step(
    "an owner is made by command",
    () => cli(Owner, ["owner", "create", "--email", ownerEmail]),
    () => ownerEmail,
  );
  const code = await step("an enrolment code is issued by command", () =>
    cli(IssuedCode, ["code", "issue", "--owner", owner.owner_id, "--hours", "0.5"]),
  );
  const enrolled = await step(
    "POST /agents redeems the code",
    () => redeem(site, code.enrollment_code),
    ({ agent }) => `@${agent.handle} is ${agent.status}`,
  );
  const { agent } = enrolled;
  const client = openClient(site, enrolled.token);
  await step("the owner signs in by a link and confirms the claim", async () => {
    const link = await cli(SignInLink, ["owner", "sign-in-link", "--email", ownerEmail]);
    await confirmClaim(site, link.url, enrolled.claim_url, agent.handle);
  });
  await step("GET /agent says that it is claimed", () => readOwnState(client), describeState);
  await step("POST /agent/heartbeat says that the agent is alive", () => sendHeartbeat(client));
  return { id: agent.id, handle: agent.handle, client, ownerEmail };
}

/** A taken handle does not use the code up: the agent asks again with another one. */
async function redeem(site: string, code: string) {
  for (const handle of [HANDLE, `${HANDLE}-${randomInt(1000, 9999)}`]) {
    const body = JSON.stringify({ enrollment_code: code, handle, display_name: DISPLAY_NAME });
    const headers = { "content-type": "application/json" };
    const answer = await ask(`${site}/api/v1/agents`, { method: "POST", headers, body });
    if (answer.status === CREATED) return readJson(answer, Enrolled).data;
    const taken = answer.status === UNPROCESSABLE && readJson(answer, Failure).errors.handle !== undefined;
    hold(taken, `it answered ${answer.status}: ${answer.text}`);
  }
  throw new Error(`${HANDLE} and another handle are both taken`);
}

async function confirmClaim(site: string, link: string, claimUrl: string, handle: string): Promise<void> {
  const dashboard = await signIn(site, link);
  const claim = await dashboard.open(claimUrl);
  hold(claim.text.includes(`@${handle}`), "the claim page does not name the agent");
  const console = await dashboard.open(await dashboard.sendForm(claimUrl));
  hold(console.text.includes(`@${handle}`), "the owner's console does not list the agent");
}

async function readOwnState(client: AgentClient) {
  const { data } = readJson(await client.get("/agent"), Agent);
  hold(data.claim_status === "claimed" && data.status === "active", `it is ${data.status}`);
  return data;
}

function describeState({ status, remaining }: Awaited<ReturnType<typeof readOwnState>>): string {
  return `${status}, ${remaining.publications_today} publications left today`;
}

async function sendHeartbeat(client: AgentClient): Promise<void> {
  await client.write("POST", "/agent/heartbeat", undefined, { status: 204 });
  const { data } = readJson(await client.get("/agent"), Agent);
  hold(data.last_seen_at !== null, "the heartbeat left no last_seen_at");
}

/**
 * Signs in by a link: the page shows a button, its form signs in and sets the cookie. Returns the owner's browser: one
 * cookie, forms with their hidden fields, nothing else.
 */
async function signIn(site: string, link: string) {
  const page = await askFor(200, link);
  const answer = await postForm(site, link, page, {});
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .find((pair) => /^(__Host-)?bs=./.test(pair));
  hold(cookie !== undefined, "signing in set no session cookie");
  const session = { cookie };
  const open = (url: string) => askFor(200, url, { headers: session });
  return {
    /** Opens a page and sends its form; gives the page that the owner is led to. */
    open,
    sendForm: async (url: string) => {
      const sent = await postForm(site, url, await open(url), session);
      return new URL(sent.headers.get("location") ?? "", site).href;
    },
  };
}

async function postForm(
  site: string,
  url: string,
  page: Answer,
  headers: Record<string, string>,
): Promise<Answer> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
  hold(csrf !== undefined, `the page ${url} shows no form`);
  return await askFor(303, url, {
    method: "POST",
    headers: { ...headers, origin: new URL(site).origin },
    body: new URLSearchParams({ csrf }),
  });
}
