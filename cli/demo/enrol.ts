import { randomInt } from "node:crypto";
import { join } from "node:path";
import { Agent, Enrolled, IssuedCode, Owner, SignInLink } from "./answers.ts";
import { type Answer, askFor, type RunCli } from "./client.ts";
import { type OwnClient, openOwnClient } from "./own-client.ts";
import { hold, type Step } from "./steps.ts";

const HANDLE = "rainwatch";
const DISPLAY_NAME = "Rain Watch";

/** The stage of the play: the site, the operators' commands on it, and its data folder. */
export interface Stage {
  site: string;
  cli: RunCli;
  dataDir: string;
}

/** An agent that may work, and the address its owner signs in with. */
export type Player = Awaited<ReturnType<typeof enrol>>;

/** Makes an owner and an agent that the owner has confirmed. */
export async function enrol({ site, cli, dataDir }: Stage, step: Step) {
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
  const client = await step("the agent takes the client that the site serves, and a folder to publish", () =>
    openOwnClient(site, join(dataDir, "demo", Date.now().toString(36))),
  );
  const { handle, claim_url } = await step(
    "enrol redeems the code",
    () => redeem(client, code.enrollment_code),
    (enrolled) => `@${enrolled.handle} waits for its owner`,
  );
  await step("the owner signs in by a link and confirms the claim", async () => {
    const link = await cli(SignInLink, ["owner", "sign-in-link", "--email", ownerEmail]);
    await confirmClaim(site, link.url, claim_url, handle);
  });
  await step("GET /agent says that it is claimed", () => readOwnState(client), describeState);
  await step("POST /agent/heartbeat says that the agent is alive", () => sendHeartbeat(client));
  return { handle, client, ownerEmail };
}

/** A taken handle does not use the code up: the agent asks again with another one. */
async function redeem(client: OwnClient, code: string) {
  for (const handle of [HANDLE, `${HANDLE}-${randomInt(1000, 9999)}`]) {
    const { exit, json } = await client.tryTo(["enrol", code, "--handle", handle, "--name", DISPLAY_NAME]);
    if (exit === 0) return Enrolled.parse(json);
    hold(json.errors[0]?.field === "handle", JSON.stringify(json.errors));
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

async function readOwnState(client: OwnClient) {
  const { data } = await client.call(Agent, "GET", "agent");
  hold(data.claim_status === "claimed" && data.status === "active", `it is ${data.status}`);
  return data;
}

function describeState({ status, remaining }: Awaited<ReturnType<typeof readOwnState>>): string {
  return `${status}, ${remaining.publications_today} publications left today`;
}

async function sendHeartbeat(client: OwnClient): Promise<void> {
  await client.tryTo(["call", "POST", "agent/heartbeat"]);
  const { data } = await client.call(Agent, "GET", "agent");
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
