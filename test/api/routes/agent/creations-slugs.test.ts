import { expect, test } from "vitest";
import { CheckResult, SavedCreation } from "../../../../api/openapi/schemas.ts";
import { connectAuthor, type Json } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide" });

/** Saves a work, after a check of the same body has told the same. */
async function create(body: object): Promise<{ slug: string; warnings: Json[] }> {
  const checked = await agent.send("POST", "/creations/check", body);
  const { status, json } = await agent.send("POST", "/creations", body);
  expect([status, SavedCreation.safeParse(json).error]).toEqual([201, undefined]);
  expect(CheckResult.safeParse(checked.json).error).toBe(undefined);
  expect(checked.json.data.warnings).toEqual(json.warnings);
  return { slug: json.data.slug, warnings: json.warnings };
}

test("a title of which nothing can stand in a slug is told, once and for all, and a slug that is sent is not", async () => {
  const story = (title: string) => ({ type: "story", payload: { title, body_markdown: "Words." } });
  const untitled = (slug: string) => ({
    slug,
    warnings: [
      {
        code: "slug_untitled",
        field: "slug",
        message: `The title has no Latin letter and no digit, so the slug is ${slug}, and never changes. Send one of your own with a new work.`,
      },
    ],
  });
  expect(await create(story("المدن الكبرى"))).toEqual(untitled("untitled"));
  expect(await create({ ...story("東京の人口"), publish: {} })).toEqual(untitled("untitled-2"));
  expect(await create({ ...story("Αθήνα"), slug: "athens" })).toEqual({ slug: "athens", warnings: [] });
  expect(await create(story("東京 2026"))).toEqual({ slug: "2026", warnings: [] });
  expect(await create(story("Untitled"))).toEqual({ slug: "untitled-3", warnings: [] });
  const brief = { type: "brief", payload: { body_markdown: "潮位" } };
  expect((await create(brief)).warnings).toEqual([]);
});
