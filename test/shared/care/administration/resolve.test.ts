import { describe, expect, test } from "vitest";
import {
  readPageAddress,
  resolveAgent,
  resolveCreation,
  resolveOwner,
  resolveRevision,
  resolveTopic,
  resolveWholeCreation,
} from "../../../../shared/care/administration/resolve.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import { connectAgent, makeCreation, publish, publishFrontPage } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const NOBODY = "01M7X6WBAZDT3JDAMJ1NB8D4T6";
let site = "";
const ids = { owner: "", agent: "", creation: "", revision: "" };

const service = await openService({ workers: false });
const deps = service.deps;
site = deps.config.siteUrl;
const agent = await connectAgent(service, { handle: "tidewatch" });
await connectAgent(service, { handle: "tidewatcher" });
await publishFrontPage(agent);
const creation = await makeCreation(agent, { slug: "november-surge" });
await publish(agent, creation);
ids.agent = agent.id;
ids.creation = creation.id;

ids.owner = agent.ownerId;
await runSql(service, "UPDATE owners SET email = 'nora@example.org' WHERE id = $1", [ids.owner]);
const [revision] = await runSql(service, "SELECT latest_revision_id AS id FROM creations WHERE id = $1", [
  ids.creation,
]);
ids.revision = revision.id;

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Refusal ? `${error.code}: ${error.message}` : String(error)),
  );

test.for([
  ["@tidewatch", [null, "tidewatch", null, null]],
  ["tidewatch", [null, "tidewatch", null, null]],
  [" /@TideWatch/ ", [null, "tidewatch", null, null]],
  ["@tidewatch/november-surge", [null, "tidewatch", "november-surge", null]],
  ["@tidewatch/november-surge.json", [null, "tidewatch", "november-surge", null]],
  ["@tidewatch/november-surge#3", [null, "tidewatch", "november-surge", 3]],
  ["@tidewatch/november-surge/revisions/12.json?x=1", [null, "tidewatch", "november-surge", 12]],
  ["https://a.example.org:1/@tidewatch/surge?y#top", ["https://a.example.org:1", "tidewatch", "surge", null]],
  ["@tidewatch#3", null],
  ["@tidewatch/a/b", null],
  ["nora@example.org", null],
  ["@ti", null],
  ["", null],
] as const)("the address %j is read", ([given, wanted]) => {
  const read = readPageAddress(given);
  const members = read && [read.site, read.handle, read.slug, read.revisionNumber];
  expect(members).toEqual(wanted);
});

describe("a name", () => {
  test("leads to its owner, agent, creation or revision, as its id does", async () => {
    for (const given of ["nora@example.org", " Nora@Example.org", ids.owner, ids.owner.toLowerCase()])
      expect((await resolveOwner(deps, given)).id).toBe(ids.owner);
    for (const given of ["tidewatch", "@tidewatch", `${site}/@tidewatch`, ids.agent.toLowerCase()])
      expect(await resolveAgent(deps, given)).toBe(ids.agent);
    const page = "@tidewatch/november-surge";
    for (const given of [page, `/${page}`, `${site}/${page}`, `${site}/${page}/revisions/1`, ids.creation])
      expect(await resolveCreation(deps, given)).toBe(ids.creation);
    for (const given of [`${page}#1`, `${site}/${page}#1`, `${site}/${page}/revisions/1`, ids.revision])
      expect(await resolveRevision(deps, given)).toBe(ids.revision);
    expect(await resolveTopic(deps, "climate")).toBe("climate");
  });

  test("of one revision is refused where all of the creation would go", async () => {
    const page = "@tidewatch/november-surge";
    for (const given of [page, `${site}/${page}.json`, ids.creation])
      expect(await resolveWholeCreation(deps, given)).toBe(ids.creation);
    for (const given of [`${page}#1`, `${site}/${page}/revisions/1`])
      expect(await refusalOf(resolveWholeCreation(deps, given))).toContain(`Give ${page}, if you mean that.`);
  });

  test("that is misspelt is refused with the nearest ones", async () => {
    expect(await refusalOf(resolveOwner(deps, "nroa@example.org"))).toBe(
      "not_found: There is no owner with the e-mail address nroa@example.org. Did you mean nora@example.org?",
    );
    expect(await refusalOf(resolveOwner(deps, "nora"))).toBe(
      "validation_failed: --owner takes an e-mail address such as nora@example.org, or an id. Did you mean nora@example.org?",
    );
    expect(await refusalOf(resolveAgent(deps, "@tidewach"))).toBe(
      "not_found: There is no agent with the handle @tidewach. Did you mean @tidewatch or @tidewatcher?",
    );
    expect(await refusalOf(resolveCreation(deps, "@tidewatch/november-surg"))).toBe(
      "not_found: There is no creation with the address @tidewatch/november-surg. Did you mean @tidewatch/november-surge?",
    );
    expect(await refusalOf(resolveRevision(deps, "@tidewatch/november-surge#7"))).toBe(
      "not_found: There is no revision with the number 7 of @tidewatch/november-surge. The latest are @tidewatch/november-surge#1.",
    );
    expect(await refusalOf(resolveTopic(deps, "climte"))).toBe(
      "not_found: There is no topic with the slug climte. Did you mean climate?",
    );
  });

  test("that is nobody's, or of no form, is refused with what fits", async () => {
    expect(await refusalOf(resolveOwner(deps, "zzzzzzzzzzzzzzz@q.test"))).toBe(
      "not_found: There is no owner with the e-mail address zzzzzzzzzzzzzzz@q.test. owner create makes one.",
    );
    for (const [resolve, kind] of [
      [resolveOwner, "owner"],
      [resolveAgent, "agent"],
      [resolveCreation, "creation"],
      [resolveRevision, "revision"],
    ] as const) {
      const none = `not_found: There is no ${kind} with the id ${NOBODY}.`;
      expect(await refusalOf(resolve(deps, NOBODY))).toBe(none);
      expect(await refusalOf(resolve(deps, "?!"))).toMatch(`validation_failed: --${kind} takes `);
    }
    expect(await refusalOf(resolveRevision(deps, "@tidewatch/november-surge"))).toMatch("such as");
  });

  test("on another site is refused, since another service is meant", async () => {
    expect(await refusalOf(resolveAgent(deps, "https://other.example.net/@tidewatch"))).toBe(
      `validation_failed: https://other.example.net is another site than ${site}. Give @tidewatch, if you mean the one of this service.`,
    );
  });
});
