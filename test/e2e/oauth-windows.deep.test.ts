import { beforeAll, describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addClient } from "../../shared/identity/oauth/clients.ts";
import { askConsent } from "../support/oauth.ts";
import { openOAuthStage } from "../support/oauth-stage.ts";
import { isBrowserHere } from "../support/test-browser.ts";

const stage = await openOAuthStage();

describe.skipIf(!isBrowserHere)("a page of another site and the page of consent", () => {
  let asked: string;

  beforeAll(async () => {
    const { client_id } = await addClient(stage.service.deps, COMMAND_LINE, {
      name: "Window Client",
      redirectUris: ["http://127.0.0.1/callback"],
    });
    asked = stage.site + askConsent(client_id, { redirect_uri: stage.redirectUri }).url;
  });

  test("the window that a client opened comes back to it with the answer, or with the refusal", async () => {
    const opener = await stage.page.context().newPage();
    await opener.goto(stage.redirectUri);
    for (const [button, told] of [
      ["Allow", "code="],
      ["Refuse", "error=access_denied"],
    ] as const) {
      await opener.evaluate(
        `void (window.told = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true })))`,
      );
      const opened = opener.waitForEvent("popup");
      await opener.evaluate(`void open(${JSON.stringify(asked)})`);
      const popup = await opened;
      if (button === "Allow") {
        await popup.getByRole("radio", { name: "a new agent" }).check();
        await popup.getByLabel("Handle of the new agent").fill("by-window");
      }
      await popup.getByRole("button", { name: button }).click();
      const answer = String(await opener.evaluate("window.told"));
      expect(answer).toContain(told);
      expect(new URLSearchParams(answer).get("state")).toBe("a-state");
      await popup.close();
    }
  });
});
