import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew } from "../../../support/agent.ts";
import { some } from "../../../support/depth.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";

// A check tells all that stands against a body: two faults are both told, whichever they are.

const service = await openService();
const agent = await connectAuthor(service);
const { id: target } = await publishNew(agent);
const file = (await agent.upload("readings.csv", "station,m\na,1.5\nb,0.5\n")).json.data;
const note = (await agent.upload("note.md", "Read hourly.\n")).json.data;
await untilJobsAreDone(service);
const NOBODY = "01M7WVCCXGEVQM8BZ45NSYPBF2";
const from = () => ({
  ...{ asset_id: file.id, content_sha256: file.content_sha256 },
  filter: [{ column: "station", op: "eq", value: "a" }],
});

/** A body without a fault; its chart is written into the text when it is sent. */
function makeBody(): Json {
  const encoding = {
    x: { field: "station", type: "nominal" },
    y: { field: "m", type: "quantitative" },
  };
  const aggregate = [{ op: "max", column: "m" }];
  return {
    type: "story",
    chart: { mark: "bar", data: { from: from() }, encoding },
    payload: {
      title: "Surge",
      body_markdown: "It rose 1.5 m.",
      references: [{ creation_id: target, relation: "uses" }],
      sources: [{ title: "Gauge", url: "https://gauges.example.net/" }],
      figures: [{ text: "1.5", decimals: 1, from: { ...from(), aggregate } }],
    },
  };
}

function toSent({ chart, ...body }: Json): Json {
  const { body_markdown } = body.payload;
  const text = `${body_markdown}\n\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n`;
  return { ...body, payload: { ...body.payload, body_markdown: text } };
}

/** A fault: where it is planted and what, and the field and words that tell it. */
type Fault = [name: string, place: string, value: unknown, field: string, words?: string];

const FIGURE = "payload.figures.0";
const QUESTION_FAULTS = (at: string, told: string): Fault[] => {
  const isFigure = at.startsWith(FIGURE);
  const field = (member: string) => (isFigure ? `${told}.${member}` : told);
  return [
    [
      `${at}: wrong hash`,
      `${at}.content_sha256`,
      "0".repeat(64),
      field("content_sha256"),
      file.content_sha256,
    ],
    [`${at}: unknown file`, `${at}.asset_id`, NOBODY, field("asset_id"), "names no file"],
    [
      `${at}: unknown member`,
      `${at}.colour`,
      "red",
      isFigure ? `${told}.colour` : told,
      isFigure ? "not known" : "colour",
    ],
    [`${at}: wrong op`, `${at}.filter.0.op`, "equals", field("filter.0.op"), "Use one of eq"],
    [
      `${at}: unknown column`,
      `${at}.filter.0.column`,
      "depth",
      field("filter.0.column"),
      isFigure ? "" : "filter.0.column",
    ],
    [
      `${at}: unknown sort column`,
      `${at}.sort`,
      [{ column: "date" }],
      field("sort.0.column"),
      "no such column",
    ],
    [`${at}: wrong limit`, `${at}.limit`, "many", field("limit"), "limit"],
  ];
};

const FAULTS: Fault[] = [
  ["wrong relation", "payload.references.0.relation", "likes", "payload.references.0.relation"],
  ["missing target", "payload.references.0.creation_id", NOBODY, "payload.references.0.creation_id"],
  ["missing revision", "payload.references.0.revision_number", 99, "payload.references.0.revision_number"],
  ["long note", "payload.references.0.note", "n".repeat(9000), "payload.references.0.note"],
  ["no title", "payload.title", "", "payload.title"],
  ["token in a note", "payload.sources.0.note", agent.token, "payload.sources.0.note"],
  ["token in the summary", "payload.summary", agent.token, "payload.summary"],
  ["wrong address", "payload.sources.0.url", "ftp://a.example", "payload.sources.0.url"],
  ["unknown member", "payload.colour", "red", "payload.colour"],
  ["wrong switch", "minor", "yes", "minor"],
  ["unknown section", "section", "nowhere", "section"],
  ["stray text", `${FIGURE}.text`, "7.5", `${FIGURE}.text`, "does not stand in"],
  ["long unit", `${FIGURE}.unit`, "m".repeat(900), `${FIGURE}.unit`],
  ["wrong decimals", `${FIGURE}.decimals`, 99, `${FIGURE}.decimals`],
  ["wrong aggregate", `${FIGURE}.from.aggregate.0.op`, "highest", `${FIGURE}.from.aggregate.0.op`],
  ...QUESTION_FAULTS(`${FIGURE}.from`, `${FIGURE}.from`),
  ["wrong mark", "chart.mark", "pie", "payload.body_markdown", "mark"],
  ["wrong type", "chart.encoding.y.type", "ordinal", "payload.body_markdown", "encoding.y"],
  ...QUESTION_FAULTS("chart.data.from", "payload.body_markdown"),
];

/** Faults that cannot both be: of no file the hash and the columns are known, of no work the revisions. */
const HIDDEN: [hiding: RegExp, hidden: RegExp][] = [
  [/missing target/, /missing revision/],
  [/figures.*unknown file/, /figures.*(?:wrong hash|unknown column|unknown sort)/],
  [/chart.*unknown file/, /chart.*(?:wrong hash|unknown column|unknown sort)/],
];
const isHidden = (one: string, other: string) =>
  HIDDEN.some(([hiding, hidden]) => hiding.test(one) && hidden.test(other));

function plant(body: Json, [, place, value]: Fault): void {
  const path = place.split(".");
  const last = path.pop() ?? "";
  path.reduce((at, name) => at[name], body)[last] = value;
}

const isTold = (problems: Json[], [, , , field, words = ""]: Fault) =>
  problems.some((one) => one.field === field && one.message.includes(words));

const PAIRS = FAULTS.flatMap((one, at) => FAULTS.slice(at).map((other) => [one, other] as const)).filter(
  ([[one], [other]]) => !isHidden(one, other) && !isHidden(other, one),
);

test(`of ${PAIRS.length} pairs of faults both are told by one check, and no token is answered`, async () => {
  const missing: string[] = [];
  expect(await check(toSent(makeBody()))).toEqual([]);
  for (const pair of some(PAIRS, 7)) {
    const body = makeBody();
    for (const fault of pair) plant(body, fault);
    const problems = await check(toSent(body));
    for (const fault of pair)
      if (!isTold(problems, fault)) missing.push(`${fault[0]} beside ${pair.map(([name]) => name)}`);
  }
  expect(missing).toEqual([]);
}, 600_000);

async function check(body: Json): Promise<Json[]> {
  const { json, text } = await agent.send("POST", "/creations/check", body, { key: null });
  expect(text).not.toContain(agent.token);
  return json.data.problems;
}

test("a file that is no dataset is told beside a label that is refused", async () => {
  const payload = { title: "Readings", attachments: [{ asset_id: note.id, label: "" }] };
  const fields = (await check({ type: "dataset", payload })).map(({ field }) => field);
  expect(fields).toEqual(["payload.attachments.0.label", "payload.attachments.0.asset_id"]);
});

test("a title that holds a live token makes no title, slug or address; each field with a token is named", async () => {
  const story = { title: `Mine: ${agent.token}`, body_markdown: agent.token, summary: agent.token };
  const brief = { body_markdown: `${"a ".repeat(20)}${agent.token}` };
  for (const [type, payload] of Object.entries({ story, brief })) {
    const named = Object.keys(payload).map((member) => `payload.${member}`);
    const body = { type, payload };
    const { json, text } = await agent.send("POST", "/creations/check", body, { key: null });
    expect([json.data.result, json.data.problems.map(({ field }: Json) => field)]).toEqual([null, named]);
    const saved = await agent.send("POST", "/creations", body);
    expect([saved.status, Object.keys(saved.json.errors)]).toEqual([422, named]);
    expect(`${text}${saved.text}`).not.toContain(agent.token.slice(0, 20));
  }
  const profile = { display_name: agent.token, tagline: agent.token };
  const checked = await agent.send("POST", "/agent/profile/check", profile, { key: null });
  expect(checked.json.data.problems.map(({ field }: Json) => field)).toEqual(
    expect.arrayContaining(Object.keys(profile)),
  );
  expect(checked.text).not.toContain(agent.token);
});
