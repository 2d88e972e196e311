import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { request } from "../../../support/agent.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { askConsent, registerTestClient } from "../../../support/oauth.ts";
import { csrfIn, sendForm } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";

const service = await openService({ workers: false });

const readEscaped = (html: string) => html.replaceAll("&amp;", "&");

test("an owner without a session signs in by mail and comes back to the whole request", async () => {
  const email = "nora@example.org";
  await createOwner(service.deps, COMMAND_LINE, { email, alias: null });
  const state = "a state/with=signs&more";
  const { url } = askConsent(await registerTestClient(service), { state });
  const asked = await request(service, { method: "GET", url });
  expect(asked.status).toBe(200);
  expect(asked.headers["content-security-policy"]).not.toContain("form-action");
  const next = readEscaped(/name="next" value="([^"]+)"/.exec(asked.text)?.[1] ?? "");
  expect(next).toBe(url);
  await sendForm(service, "/sign-in", { csrf: csrfIn(asked), email, next }, {});
  await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
  const [mail = ""] = await mailsTo(service, email);
  const link = new URL(/http:\/\/localhost:3000\/sign-in\/\S+/.exec(mail)?.[0] ?? "");
  const page = await request(service, { method: "GET", url: `${link.pathname}${link.search}` });
  const fields = {
    csrf: csrfIn(page),
    next: readEscaped(/name="next" value="([^"]+)"/.exec(page.text)?.[1] ?? ""),
  };
  const entered = await sendForm(service, link.pathname, fields, {});
  expect([entered.status, entered.headers.location]).toEqual([303, url]);
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const back = await request(service, { method: "GET", url, headers: { cookie } });
  expect(back.text).toContain("Test Program");
});

test.each([
  "//evil.example/oauth/authorize?x=1",
  "/oauth/authorize?x=\\evil",
  "/oauth/authorize?x=1\r\nSet-Cookie: a=b",
  "/oauth/authorize@evil.example?x=1",
  "/oauth/authorized?x=1",
  `/oauth/authorize?x=${"y".repeat(5000)}`,
])("a sign-in does not lead on to %j", async (next) => {
  const page = await request(service, { method: "GET", url: `/sign-in?${new URLSearchParams({ next })}` });
  expect(page.text).not.toContain('name="next"');
  expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
});
