import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { addressTypeface, TYPEFACES } from "../../../shared/text/theme/typefaces.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });

const FOR_EVER = "public, max-age=31536000, immutable";
const get = async (url: string, accepted?: string) => {
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  const { statusCode, headers: answered, rawPayload } = await service.app.inject({ url, headers });
  return { statusCode, headers: answered, bytes: rawPayload };
};

test.each([
  [undefined, undefined],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["GZIP", "gzip"],
  ["br; q=0.5", "br"],
  ["identity, deflate", undefined],
  ["gzip;q=0, br;q=nonsense", undefined],
])("to a client that accepts %s the stylesheet is sent as %s", async (accepted, coding) => {
  const { statusCode, headers, bytes } = await get(STYLESHEET.path, accepted);
  expect([statusCode, headers["content-encoding"]]).toEqual([200, coding]);
  expect([headers["cache-control"], headers.vary]).toEqual([FOR_EVER, "accept-encoding"]);
  expect(headers["content-type"]).toBe("text/css; charset=utf-8");
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ""];
  expect((unpack?.(bytes) ?? bytes).toString()).toBe(STYLESHEET.css);
  if (coding !== undefined) expect(bytes.length).toBeLessThan(8 * 1024);
});

test("each file of the text face is sent under its hash, cached for ever, and its page may load it", async () => {
  for (const face of Object.values(TYPEFACES)) {
    const { statusCode, headers, bytes } = await get(addressTypeface(face), "gzip, br");
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "font/woff2",
      FOR_EVER,
    ]);
    expect([bytes.subarray(0, 4).toString(), headers["content-encoding"]]).toEqual(["wOF2", undefined]);
  }
  expect((await get("/serif-400-000000000000.woff2")).statusCode).toBe(404);
  const page = await get("/");
  expect(page.headers["content-security-policy"]).toContain("font-src 'self'");
  const preloads = [...page.bytes.toString().matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)];
  expect(preloads.map(([, path]) => path)).toEqual(
    [TYPEFACES.regular, TYPEFACES.semibold].map(addressTypeface),
  );
});
