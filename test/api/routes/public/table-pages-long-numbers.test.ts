import { expect, test } from "vitest";
import { connectAuthor, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);

/** What the DuckDB of "Use this data" reads each column of a file as, before and after the file was measured. */
async function readTypes(content: string, missing: string[] = []) {
  const asset = await uploadReady(service, agent, "long.csv", content);
  const columns = ["id", "n"].map((name) => ({ name, missing_values: missing }));
  const dictionary = missing.length === 0 ? {} : { dictionary: { columns } };
  const attachments = [{ asset_id: asset.id, label: "long", ...dictionary }];
  const work = await publishNew(agent, { type: "dataset", payload: { title: "Long", attachments } });
  const url = `${new URL(work.public_url).pathname}/files/1`;
  const read = async () => {
    const { text } = await request(service, { method: "GET", url });
    const code = text.replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    return [
      ["id", "n"].map((name) => new RegExp(`'${name}': '(\\w+)'`).exec(code)?.[1]),
      /NULLIF\("(\w+)", [^)]*\) AS DOUBLE/.exec(code)?.[1],
    ];
  };
  const before = await read();
  await request(service, { method: "GET", url: `/media/${asset.id}/stats` });
  return [before, await read()];
}

test("a column of whole numbers over 2^53 is read as text, and so is one that is not measured yet", async () => {
  const types = await readTypes("id,n\n9007199254740993,1\n-5,2e300\n");
  expect(types).toEqual([
    [["VARCHAR", "VARCHAR"], undefined],
    [["VARCHAR", "DOUBLE"], undefined],
  ]);
});

test("so is a column that is one of numbers without its missing values", async () => {
  const types = await readTypes("id,n\n9007199254740993,NA\nNA,5\n", ["NA"]);
  const both = [["VARCHAR", "VARCHAR"], "n"];
  expect(types).toEqual([both, both]);
});
