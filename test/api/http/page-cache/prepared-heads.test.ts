import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { openPreparedHeads } from "../../../../api/http/page-cache/prepared-heads.ts";
import { toResponse } from "../../../../api/http/page-cache/response.ts";
import { exchange } from "../../../support/exchange.ts";

const USUAL = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };
const PAGE = toResponse(
  { type: "text/html; charset=utf-8", body: "<p>Ørsted</p>", headers: { link: "</a>; rel=up" } },
  "no-cache",
);

test.each([200, 304] as const)(
  "a prepared head of %i is what Node makes of the same headers",
  async (status) => {
    const ways = {
      "/one-by-one": openPreparedHeads(USUAL, false),
      "/prepared": openPreparedHeads(USUAL, true),
    };
    const server = createServer((request, raw) => {
      ways[request.url as keyof typeof ways](raw, PAGE, status, "01M7X6WBAZDT3JDAMJ1NB8D4T6");
      raw.end(status === 200 ? PAGE.body : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const read = async (path: string, connection: string) => {
        const bytes = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
        return (await exchange(port, bytes, 1)).replace(/^Date: .*\r\n/m, "");
      };
      for (const connection of ["keep-alive", "close"]) {
        const prepared = await read("/prepared", connection);
        expect(prepared).toContain(`HTTP/1.1 ${status}`);
        expect(prepared.toLowerCase()).toContain(`connection: ${connection}`);
        expect(prepared).toBe(await read("/one-by-one", connection));
      }
    } finally {
      server.close();
    }
  },
);

test("a header with a line end is refused", () => {
  const torn = { ...PAGE, headers: { ...PAGE.headers, 304: { link: "a\r\nset-cookie: b" } } };
  expect(() => openPreparedHeads(USUAL)({} as never, torn, 304, "01M7X6WBAZDT3JDAMJ1NB8D4T6")).toThrow(
    /Invalid character/,
  );
});
