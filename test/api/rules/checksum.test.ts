import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, type Json, makeCreation, publishNew, request } from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false, limits: { publicationsPerDay: 100 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const own = await publishNew(agent);
const stranger = await connectAuthor(service);
const other = await publishNew(stranger);

/** RFC 8785 written anew: members by UTF-16 code units, numbers and strings as ECMAScript writes them. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const recipe = (payload: Json, files: string[]) => sha256(canonical({ payload, files }));

async function download(url: string): Promise<Buffer> {
  const { pathname } = new URL(url);
  const { authorization } = { authorization: `Bearer ${agent.token}` };
  const response = await service.app.inject({ method: "GET", url: pathname, headers: { authorization } });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

/** One line, and a text, that a careless canonical form gets wrong. */
const LINE = 'Höhe “1.2 m” \\ "quoted" \u{1F30A} \u0301é </script>';
const TEXT = `${LINE.replace("</script>", "")} \u2028 a\ttab`;
const sources = [
  { title: LINE, url: "https://gauges.example.net/a?b=ü", note: "line\none" },
  { title: "b", url: "https://b.example.net/" },
];
const design = {
  colors: ["#0b3d5c", "#E8F1F5", "#ffffff"],
  pattern: "waves",
  gradient: "radial",
  seed: 999_999,
};
const references = () => [
  { creation_id: own.id.toLowerCase(), relation: "uses", note: LINE },
  { creation_id: other.id, relation: "derives_from" },
];
const files = async (...names: string[]) => {
  const attachments: Json[] = [];
  for (const name of names) {
    const { id } = await uploadReady(
      service,
      agent,
      name,
      `${name}\n"ü",\n`.replace(/^.*\.json\n.*\n$/, '[{"b":1e2}]'),
    );
    attachments.push({
      asset_id: id,
      label: ` ${LINE} `,
      notes: name.endsWith("csv") ? null : "n",
    });
  }
  return attachments;
};

const FULL: [type: string, payload: () => Promise<Json>][] = [
  [
    "story",
    async () => ({
      title: LINE,
      body_markdown: `${TEXT}\r\n\r\n1e3 0.1`,
      summary: LINE,
      sources,
      references: references(),
      design,
    }),
  ],
  [
    "dataset",
    async () => ({
      title: "D",
      attachments: await files("b.json", "a.json"),
      show_preview: false,
      sources,
      references: references(),
      design,
    }),
  ],
  ["file", async () => ({ title: "F", attachments: await files("b.txt", "a.md"), summary: "s" })],
  [
    "collection",
    async () => ({
      title: "C",
      entries: [own.id.toLowerCase()],
      design: { ...design, gradient: undefined, seed: undefined },
    }),
  ],
  [
    "external_project",
    async () => ({
      title: "E",
      external_url: "https://code.example.net/tides",
      destination_label: "Code",
      repository_url: "https://git.example.net/tides",
      sources,
    }),
  ],
  ["brief", async () => ({ body_markdown: `In brief: ${TEXT}`, sources })],
];

test.each(FULL)(
  "the checksum of a %s with every member is what its own resource recomputes to",
  async (type, make) => {
    const saved = await makeCreation(agent, {
      type,
      payload: await make(),
      change_summary: "c",
      minor: true,
      section: "later",
    });
    const { payload, files: attached, checksum } = saved.latest_revision;
    const hashes = await Promise.all(
      attached.map(async (file: Json) => sha256(await download(file.download_url))),
    );
    expect(attached.map((file: Json) => file.content_sha256)).toEqual(hashes);
    expect(checksum).toBe(recipe(payload, hashes));
    const read = (await agent.get(`/creations/${saved.id}/revisions/1`)).json.data;
    expect(read.checksum).toBe(recipe(read.payload, hashes));
  },
);

test("what stands beside the payload is not in the checksum, and files are, in their order", async () => {
  const [one, two] = await files("a.txt", "b.txt");
  const save = async (attachments: Json[], more: object = {}) =>
    (await makeCreation(agent, { type: "file", payload: { title: "F", attachments }, ...more }))
      .latest_revision.checksum;
  const plain = await save([one, two]);
  expect(
    await save([one, two], { change_summary: "c", minor: true, section: "reports", slug: "another-slug" }),
  ).toBe(plain);
  expect(await save([two, one])).not.toBe(plain);
  const { id } = await uploadReady(service, agent, "c.txt", "other bytes");
  expect(await save([one, { ...two, asset_id: id }])).not.toBe(plain);
});

/** The payload as a reader of the public JSON puts it together; what it does not hold must be at its default. */
const FROM_PUBLIC: Record<string, (data: Json) => Json> = {
  story: ({ title, body_markdown }) => ({ title, body_markdown }),
  brief: ({ body_markdown }) => ({ body_markdown }),
  collection: ({ title, entries }) => ({ title, entries: entries.map((entry: Json) => entry.id) }),
  external_project: ({ title, external_url, repository_url }) => ({
    title,
    external_url,
    destination_label: null,
    repository_url,
  }),
  dataset: (data) => ({ ...FROM_PUBLIC.file?.(data), show_preview: true }),
  file: ({ title, files: list }) => ({
    title,
    attachments: list.map(({ url, label, notes }: Json) => ({
      asset_id: new URL(url).pathname.split("/")[2],
      label,
      notes,
    })),
  }),
};

function payloadFromPublic(data: Json): Json {
  const payload = { ...FROM_PUBLIC[data.type]?.(data), sources: data.sources };
  if (data.type === "brief") return payload;
  const refer = ({ id, relation, note }: Json) => ({ creation_id: id, relation, note });
  return { ...payload, summary: data.summary, references: data.references.map(refer), design: null };
}

test.each(FULL)(
  "anybody recomputes the checksum of a published %s from its public JSON and files, and after a restore",
  async (type, make) => {
    const { design: _, show_preview: __, destination_label: ___, ...payload } = await make();
    const live = await publishNew(agent, { type, payload });
    const read = async () => {
      const { json, status } = await request(service, {
        method: "GET",
        url: `/@tidewatch/${live.slug}.json`,
      });
      expect(status).toBe(200);
      const bytes = await Promise.all(json.data.files.map((file: Json) => download(file.url)));
      expect(json.data.files.map((file: Json) => file.content_sha256)).toEqual(bytes.map(sha256));
      expect(recipe(payloadFromPublic(json.data), bytes.map(sha256))).toBe(json.data.checksum);
      return [json.data.checksum, json.data.revision_number];
    };
    const [checksum] = await read();
    expect(checksum).toBe(live.latest_revision.checksum);
    const body = { revision_id: live.latest_revision.id };
    const reply = await agent.send("POST", `/creations/${live.id}/restore`, body, {
      ifMatch: live.lock_version,
    });
    expect(reply.status).toBe(200);
    expect(await read()).toEqual([checksum, 2]);
  },
);
