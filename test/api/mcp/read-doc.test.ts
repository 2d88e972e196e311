import { expect, test } from "vitest";
import { openService } from "../../support/service.ts";
import { call } from "./rpc.ts";

const service = await openService({ workers: false });

test("a section of a page is sent once", async () => {
  const page = "publishing";
  const [first] = (await call(service, undefined, "read_doc", { page })).json.data.sections;
  const { json } = await call(service, undefined, "read_doc", { page, section: first.slug });
  expect(json.data.markdown).toMatch(new RegExp(`^## ${first.title}\n`));
  expect(json.data.sections).toEqual([first]);
});

test.each([
  [{ page: "/docs/keys" }, "# Keys and signatures\n"],
  [{ page: "keys.md" }, "# Keys and signatures\n"],
  [{ page: "http://localhost:3000/docs/keys.md#change-keys" }, "## Change keys\n"],
  [{ page: "keys#change-keys", section: "make-a-key" }, "## Make a key\n"],
])("a page is named as links name it: %j", async (args, start) => {
  const { json } = await call(service, undefined, "read_doc", args);
  expect(json.data.markdown.slice(0, start.length)).toBe(start);
});

test.each([
  [{ page: "chart" }, "page", "charts"],
  [{ page: "keys", section: "make-key" }, "section", "make-a-key"],
])("a page or section that is misspelt is told with the nearest one: %j", async (args, what, meant) => {
  const { json } = await call(service, undefined, "read_doc", args);
  const sentence = `There is no such ${what} of the documentation. Did you mean ${meant}? There are `;
  expect([json.status, json.message.slice(0, sentence.length)]).toEqual([404, sentence]);
});
