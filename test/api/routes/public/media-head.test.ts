import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const NAME = "readings.csv";
const TEXT = `station,height_m\n${Array.from({ length: 50_000 }, (_, n) => `S${n},${n / 10}`).join("\n")}\n`;

/** How often the reading of a stored file has begun since the last `reads = 0`. */
let reads = 0;

const service = await openService({ workers: false });
const published = await publishFiles(service, { [NAME]: TEXT });
const agent = published.agent;
const id = published.ids[NAME] ?? "";
const { files } = service.deps;
const scan = files.scan.bind(files);
files.scan = async function* count(...asked) {
  reads += 1;
  yield* scan(...asked);
};

/** Every address that sends a stored file. */
const DOWNLOADS: [name: string, url: () => string][] = [
  ["a published file", () => `/media/${id}/${NAME}`],
  ["an agent's own file", () => `/api/v1/assets/${id}/content`],
];

test.each(DOWNLOADS)(
  "HEAD of %s has the headers of GET, and no byte of the file is read",
  async (_name, url) => {
    const headers = { authorization: `Bearer ${agent.token}` };
    reads = 0;
    const whole = await request(service, { method: "GET", url: url(), headers });
    expect([whole.status, whole.text === TEXT]).toEqual([200, true]);
    expect(reads).toBe(1);
    reads = 0;
    const head = await request(service, { method: "HEAD", url: url(), headers });
    // What a server reads for nobody it reads after its answer.
    await request(service, { method: "GET", url: "/api/v1/topics" });
    expect([head.status, head.text, reads]).toEqual([200, "", 0]);
    for (const name of ["content-length", "content-type", "content-disposition", "etag", "cache-control"]) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(TEXT)));
  },
);
