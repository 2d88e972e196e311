import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ListedRoute } from "../../../api/http/route-docs.ts";
import { buildOpenApi } from "../../../api/openapi/document.ts";
import { Agent } from "../../../api/openapi/schemas.ts";
import { loadConfig } from "../../../shared/platform/config.ts";

const config = loadConfig({ SITE_URL: "https://example.org", DATA_DIR: "/nowhere" });

describe("the generator", () => {
  const route: ListedRoute = {
    method: "GET",
    url: "/api/v1/things/:thing",
    audience: "agent",
    ability: "any",
    bucket: "reads",
    ...{ summary: "One thing", tag: "Agent", answers: { 200: Agent } },
  };

  it("leaves nothing undefined", () => {
    const built = buildOpenApi([route], config);
    expect(built).toStrictEqual(JSON.parse(JSON.stringify(built)));
  });

  it("names the file that has to export a body, or an answer, without a name", () => {
    const unnamed = { ...route, answers: { 200: z.object({}) } };
    expect(() => buildOpenApi([unnamed], config)).toThrow(
      "api/openapi/schemas/answers.ts does not export the answer of GET /api/v1/things/:thing: export its schema there",
    );
    const asked = { ...route, method: "POST", body: z.object({}) };
    expect(() => buildOpenApi([asked], config)).toThrow(
      "api/openapi/schemas/requests.ts does not export the body of POST /api/v1/things/:thing: export its schema there",
    );
  });

  it("refuses a code that the table of errors lacks", () => {
    const misspelt = { ...route, codes: ["validaton_failed"] };
    expect(() => buildOpenApi([misspelt], config)).toThrow("validaton_failed");
  });
});
