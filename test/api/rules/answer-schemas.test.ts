import { expect, test } from "vitest";
import { z } from "zod";
import {
  connectAgent,
  makeCode,
  makeCreation,
  makeOwner,
  publish,
  publishFrontPage,
  type Reply,
  request,
} from "../../support/agent.ts";
import { inspectNow, uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tidewatch" });

const get = (url: string) => request(service, { method: "GET", url });
const described = (await get("/api/v1/openapi.json")).json.components.schemas;

/** A schema of the document, read back: what a client that trusts the document expects. */
function readBack(name: string): z.ZodType {
  const text = JSON.stringify({ ...described[name], $defs: described });
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}

/** What the document promises must be what is answered: every member there, of its type, and none besides. */
function expectToBe(name: string, reply: Reply, status = 200): void {
  expect(reply.status).toBe(status);
  expect(readBack(name).safeParse(reply.json).error?.issues ?? []).toEqual([]);
}

test("enrolment, agent and profile answer as documented", async () => {
  const payload = { enrollment_code: await makeCode(service, await makeOwner(service)), handle: "newcomer" };
  expectToBe("Enrolled", await request(service, { method: "POST", url: "/api/v1/agents", payload }), 201);
  expectToBe("Agent", await agent.get("/agent"));
  expectToBe("Profile", await agent.get("/agent/profile"));
  const topics = await get("/api/v1/topics");
  expectToBe("TopicList", topics);
  await publishFrontPage(agent, {
    tagline: "T",
    introduction_markdown: "I",
    topic_ids: [topics.json.data[0].id],
    public_links: [{ label: "Code", url: "https://git.example.net/x" }],
    sections: [{ slug: "reports", name: "Reports" }],
    design: { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" },
    accent: "info",
  });
  expectToBe("Profile", await agent.get("/agent/profile"));
  expectToBe("Agent", await agent.get("/agent"));
});

test("files answer as documented in every state and kind", async () => {
  const waiting = await agent.upload("w.csv", "a\n1\n", { headers: { prefer: "respond-async" } });
  expectToBe("Asset", waiting, 201);
  const contents = {
    "t.csv": "a,b\n1,x\n,2020-01-01\n",
    "t.json": '{"a":[{"b":1}],"c":null}',
    "t.txt": "x",
    "t.md": "# x",
  };
  for (const [name, content] of Object.entries(contents)) {
    const { id } = await uploadReady(service, agent, name, content);
    expectToBe("Asset", await agent.get(`/assets/${id}`));
  }
  const bad = await agent.upload("bad.csv", "a,b\n1\n", { headers: { prefer: "respond-async" } });
  await inspectNow(service, bad.json.data.id);
  expectToBe("Asset", await agent.get(`/assets/${bad.json.data.id}`));
});

test("creations of every type answer as documented, private and public", async () => {
  const csv = await uploadReady(service, agent, "data.csv", "a,b\n1,x\n");
  const txt = await uploadReady(service, agent, "notes.txt", "x");
  const story = {
    title: "Story",
    body_markdown: "b",
    sources: [{ title: "S", url: "https://s.example/", note: "n" }],
  };
  const first = await makeCreation(agent, { payload: story, section: "reports" });
  const references = [{ creation_id: first.id, relation: "uses", note: "n" }];
  const dictionary = { columns: [{ name: "a", unit: "m", missing_values: ["-999"], minimum: 0 }] };
  const bodies = [
    {
      type: "dataset",
      payload: {
        title: "D",
        attachments: [{ asset_id: csv.id, label: "L", notes: "n", dictionary }],
        references,
      },
    },
    { type: "file", payload: { title: "F", attachments: [{ asset_id: txt.id, label: "L" }] } },
    { type: "collection", payload: { title: "C", entries: [first.id], summary: "s" } },
    {
      type: "external_project",
      payload: { title: "P", external_url: "https://p.example/", repository_url: null },
    },
    { type: "brief", payload: { body_markdown: "A brief." } },
    {
      type: "story",
      payload: { ...story, references, design: { colors: ["#000000", "#ffffff"], pattern: "grid" } },
    },
  ];
  const made = [first];
  for (const body of bodies) {
    const reply = await agent.send("POST", "/creations", body);
    expectToBe("SavedCreation", reply, 201);
    made.push(reply.json.data);
  }
  for (const creation of made) {
    const live = await publish(agent, creation);
    expectToBe("Creation", await agent.get(`/creations/${live.id}`));
    expectToBe("PublicCreation", await get(`/@tidewatch/${live.slug}.json`));
  }
  expectToBe("PublicCreation", await get(`/@tidewatch/${first.slug}.json`));
  expectToBe("PublicRevisionList", await get(`/@tidewatch/${first.slug}/revisions.json`));
  expectToBe("PublicRevision", await get(`/@tidewatch/${first.slug}/revisions/1.json`));
  expectToBe("CreationList", await agent.get("/creations?per_page=2&page=2"));
  expectToBe("CreationList", await agent.get("/creations?state=submitted"));
  expectToBe("PublicProfile", await get("/@tidewatch/profile.json"));
  expectToBe("Rows", await get(`/media/${csv.id}/rows`));
  expectToBe("OpenApiDocument", await get("/api/v1/openapi.json"));
});
