import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openFolder } from "../../../support/close-afterwards.ts";
import { LIMITS } from "../../tables/rows/reading.ts";

describe("a process", () => {
  const [open, files, query] = [
    "platform/threads/open.ts",
    "platform/files/open.ts",
    "tables/rows/query.ts",
  ].map((path) => JSON.stringify(resolve(import.meta.dirname, "../../../../shared", path)));
  const times = "inspectTimeoutMs: 5000, rowsTimeoutMs: 5000";
  const run = (body: string, folder = "/nowhere") =>
    promisify(execFile)(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { openThreads } from ${open};
         const filesUrl = ${JSON.stringify(`file:${folder}`)};
         const options = { filesUrl, maxThreads: 2, ${times}, memoryMb: 64, rowsCacheBytes: ${8 * 1_048_576} };
         const threads = openThreads(options);
         ${body}
         console.log("end");`,
      ],
      { timeout: 40_000 },
    );

  it("ends by itself once the pool is closed", async () => {
    const { stdout } = await run(
      `await threads.inspect({ key: "01M7WVM8W0T8NYB19BE1ATAT9N", format: "csv" }).catch((error) => console.log(error.name));
       await threads.close();`,
    );
    expect(stdout).toBe("FileMissing\nend\n");
  });

  it("takes no more memory however many files the cache lets go", async () => {
    const folder = await openFolder();
    const { stdout } = await run(
      `const { openFileStore } = await import(${files});
       const { parseRowsQuery } = await import(${query});
       const limits = ${JSON.stringify(LIMITS)};
       const asked = new URLSearchParams("filter[0][column]=a&filter[0][op]=gt&filter[0][value]=4");
       const content = Buffer.from("a,b\\n" + ("51," + "x".repeat(95) + "\\n").repeat(19_000));
       const bytes = content.length;
       const questions = [];
       for (let at = 0; at < 12; at++) {
         const key = "01M7WVM8W0T8NYB19BE1ATAT" + (10 + at);
         await openFileStore(filesUrl).put(key, [content]);
         const { inspection, tables, readingIndex } = await threads.inspect({ key, format: "csv" });
         const file = { format: "csv", inspection, tables, bytes };
         const { query } = parseRowsQuery(asked, limits);
         questions.push({ key, file, query, limits, loadIndex: async () => readingIndex });
       }
       const ask = async (turn) => {
         const answer = await threads.readRows(questions[turn % 12]);
         if (!answer.ok) throw new Error(answer.code);
         return process.memoryUsage.rss() / 1_048_576;
       };
       const restMib = await ask(0);
       let mostMib = 0;
       for (let turn = 1; turn < 120; turn++) mostMib = Math.max(mostMib, await ask(turn));
       await threads.close();
       console.log(Math.round(mostMib - restMib));`,
      folder,
    );
    expect(Number(stdout.split("\n")[0])).toBeLessThan(40);
  });

  it("starts no thread for a pool that is not used", async () => {
    const { stdout } = await run(`console.log(process.getActiveResourcesInfo().includes("MessagePort"));`);
    expect(stdout).toBe("false\nend\n");
  });
});
