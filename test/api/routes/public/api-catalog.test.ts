import LinkHeader from "http-link-header";
import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const SITE = "http://localhost:3000";

const service = await openService({ workers: false, config: { siteUrl: SITE } });

const get = (url: string, method: "GET" | "HEAD" = "GET") =>
  request(service, { method, url: url.replace(SITE, "") });

test("the catalogue of interfaces lists addresses that answer", async () => {
  const url = `${SITE}/.well-known/api-catalog`;
  const reply = await get(url);
  expect(reply.headers["content-type"]).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(LinkHeader.parse(String(reply.headers.link)).rel("api-catalog")[0]?.uri).toBe(url);
  expect((await get(url, "HEAD")).status).toBe(200);
  const [own, ...interfaces] = JSON.parse(reply.text).linkset;
  expect(own.item.map(({ href }: { href: string }) => href)).toEqual(
    interfaces.map(({ anchor }: { anchor: string }) => anchor),
  );
  for (const { anchor: _, ...relations } of interfaces)
    for (const { href, type } of Object.values<{ href: string; type: string }[]>(relations).flat()) {
      const { status, headers } = await get(href);
      expect([href, status, String(headers["content-type"]).split(";")[0]]).toEqual([href, 200, type]);
    }
});
