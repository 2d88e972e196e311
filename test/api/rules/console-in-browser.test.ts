import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../shared/identity/owners/suspension.ts";
import { createOwner, makeSignInLink } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { removeContent, runCreationCommand } from "../../../shared/works/creations/take-down.ts";
import {
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  request,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { openBrowsedSite } from "../../support/browsed-site.ts";
import { some } from "../../support/depth.ts";
import { isBrowserHere } from "../../support/test-browser.ts";
import { findBarriers, findOverflow } from "./pages/looking.ts";

const { service, site, browser } = await openBrowsedSite({ workers: false });

const EMAIL = "nora@example.org";

describe.skipIf(!isBrowserHere)("the console in a real browser", () => {
  let context: BrowserContext;
  let agent: TestAgent;
  let workId: string;

  beforeAll(async () => {
    context = await browser.newContext();
    await createOwner(service.deps, COMMAND_LINE, { email: EMAIL, alias: "Nora" });
  });

  async function signIn(where: BrowserContext): Promise<Page> {
    const page = await where.newPage();
    await page.goto((await makeSignInLink(service.deps, COMMAND_LINE, EMAIL)).url);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${site}/console`);
    return page;
  }

  /** A work whose first revision lost its content, and whose third is to be published. */
  async function removeFirstRevision(): Promise<string> {
    await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "resume");
    const first = await publishNew(agent);
    const body = { payload: { title: "Counts", body_markdown: "Counts only." }, change_summary: "Counts." };
    const save = async (ifMatch: number) =>
      (await agent.send("PATCH", `/creations/${first.id}`, body, { ifMatch })).json.data;
    const second = await publish(agent, await save(first.lock_version));
    const revisions = (await agent.get(`/creations/${first.id}/revisions`)).json.data;
    await removeContent(service.deps, COMMAND_LINE, revisions.at(-1).id, "moderator", "Names of people.");
    const third = await save(second.lock_version + 1);
    const at = new Date(service.clock.nowMs + 3_600_000).toISOString();
    const order = { revision_id: third.latest_revision.id, publish_at: at };
    await agent.send("POST", `/creations/${first.id}/schedule`, order, { ifMatch: third.lock_version });
    await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
    return first.id;
  }

  test("an owner who knows the address alone connects an agent, sees what it did and stops it with one click", async () => {
    const page = await signIn(context);
    await page.getByLabel(/handle/i).fill("tidewatch");
    await page.getByRole("button", { name: "Issue a code" }).click();
    const words = (await page.locator("#fresh-words").textContent()) ?? "";
    // What the agent reads: the request of the pasted text, sent as it stands there.
    const url = /POST (\S+)/.exec(words)?.[1] ?? "";
    const payload = JSON.parse(/-d '([^']+)'/.exec(words)?.[1] ?? "");
    expect(url).toBe(`${site}/api/v1/agents`);
    const enrolled = await request(service, { method: "POST", url: new URL(url).pathname, payload });
    const { agent: made, token } = enrolled.json.data;
    await page.goto(`${site}/console`);
    await page.getByRole("link", { name: "Look at it and confirm" }).click();
    await page.getByRole("button", { name: "Look at its claim" }).click();
    await page.getByRole("button", { name: "Confirm @tidewatch" }).click();
    await page.waitForURL(`${site}/console`);
    agent = speakAs(service, { id: made.id, handle: "tidewatch", ownerId: "", token });
    await publishFrontPage(agent);
    const creation = await makeCreation(agent);
    workId = creation.id;
    await publish(agent, creation);
    await agent.send(
      "PATCH",
      `/creations/${workId}`,
      { payload: { title: "November surge", body_markdown: "A second look." }, change_summary: "More." },
      { ifMatch: 2 },
    );
    await page.reload();
    await page.getByRole("link", { name: "Tide Watch" }).click();
    await page.getByRole("link", { name: "All its works" }).click();
    await page.getByRole("link", { name: "November surge" }).click();
    await page.getByRole("link", { name: "Revision 2" }).click();
    expect(await page.locator("main").textContent()).toContain("A second look.");
    expect(await page.locator("script[src]").count()).toBe(0);
    await page.goto(`${site}/console`);
    await page.getByRole("button", { name: "Pause @tidewatch" }).click();
    await page.getByText("Paused").waitFor();
    expect((await agent.send("POST", "/creations", {})).json.code).toBe("agent_paused");
    await page.close();
  });

  test("a passkey is added, named, signs in without a mail, and is removed", async () => {
    const page = await signIn(context);
    const devtools = await context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${site}/console/account`);
    await page.getByLabel("Name for a new passkey").fill("my laptop");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("heading", { name: "my laptop" }).waitFor();
    // A passkey is a way in, so its owner learns of each.
    const folder = join(service.deps.config.dataDir, "mail");
    const mail = await readFile(join(folder, (await readdir(folder)).sort().at(-1) ?? ""), "utf8");
    expect(mail).toContain("A passkey named “my laptop” can sign in to your account");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("my old laptop");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: "my old laptop" }).waitFor();
    await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(`${site}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${site}/console`);
    await page.goto(`${site}/console/account`);
    expect(await page.locator("main").textContent()).toContain("by a passkey");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("heading", { name: "my old laptop" }).waitFor({ state: "detached" });
    await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey could not be verified.").first().waitFor();
    await page.close();
  });

  test("a reader's report reaches a moderator, who hides the work, and its owner reads why", async () => {
    const reader = await browser.newContext({ javaScriptEnabled: false });
    const form = await reader.newPage();
    await form.goto(`${site}/@tidewatch/november-surge`);
    await form.getByRole("link", { name: "Report this page" }).click();
    await form.getByLabel("What is wrong?").selectOption("It is spam");
    await form.getByLabel("In your words").fill("The last line sells things.");
    await form.getByRole("button", { name: "Send the report" }).click();
    await form.getByRole("heading", { name: "Thank you" }).waitFor();
    await runModeratorCommand(service.deps, COMMAND_LINE, EMAIL, "grant");
    const page = await signIn(context);
    await page.getByRole("link", { name: "Moderation" }).click();
    await page.getByRole("link", { name: "November surge" }).click();
    await page.getByText("The last line sells things.").waitFor();
    await page.getByLabel("What to do").selectOption("Hide it from every reader");
    await page.getByLabel("Why").first().fill("It sells things.");
    await page.getByRole("button", { name: "Do it" }).click();
    await page.getByText("A moderator hid the work").waitFor();
    expect((await form.goto(`${site}/@tidewatch/november-surge`))?.status()).toBe(404);
    await page.goto(`${site}/console/works/${workId}`);
    await page.getByText("It sells things.").waitFor();
    await runCreationCommand(service.deps, COMMAND_LINE, workId, "unhide");
    await reader.close();
    await page.close();
  });

  // Every other page of the console: test/api/rules/pages/every-page.deep.test.ts.
  test("moderators' pages, and those of a removed text, are without barriers and fit every width", {
    timeout: 360_000,
  }, async () => {
    const page = await signIn(context);
    const removedId = await removeFirstRevision();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    const moderation = "/console/moderation";
    const paths = [
      ...[moderation, `${moderation}/topics`, `${moderation}/agents/${agent.id}`],
      ...[`${moderation}/agents/${agent.id}/front-page`, `${moderation}/creations/${workId}`],
      ...[`${moderation}/creations/${workId}/revisions/1`, "/console/agents/nobody"],
      ...[`/console/works/${removedId}`, `/console/works/${removedId}/revisions/1`],
      `${moderation}/creations/${removedId}/revisions/1`,
    ];
    for (const path of some(paths, 4)) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${site}${path}`);
      const found = [...(await findBarriers(page)), ...(await findOverflow(page, [390, 1280]))];
      expect({ path, found }).toEqual({ path, found: [] });
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("everything but passkeys works without scripts", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await signIn(plain);
    await page.getByRole("button", { name: "Resume @tidewatch" }).click();
    await page.getByRole("button", { name: "Pause @tidewatch" }).waitFor();
    await page.goto(`${site}/console/account`);
    await page.getByLabel("Alias").fill("Nora Plain");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByLabel("Alias").inputValue()).toBe("Nora Plain");
    expect(await page.getByRole("button", { name: "Add a passkey" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${site}/sign-in`);
    await plain.close();
  });
});
