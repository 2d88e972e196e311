import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew } from "../../../support/agent.ts";
import { some } from "../../../support/depth.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { type Fault, listDatasetFaults, makeDataset, NOBODY } from "./dataset-faults.ts";

// A check tells all that stands against a body: two faults are both told, whichever they are.

const service = await openService();
const agent = await connectAuthor(service);
const { id: target, slug } = await publishNew(agent);
const file = (await agent.upload("readings.csv", "station,station_2,m\na,x,1.5\nb,y,0.5\n")).json.data;
const stations = (await agent.upload("stations.csv", "station,place\na,Quay\nb,Lock\n")).json.data;
const note = (await agent.upload("note.md", "Read hourly.\n")).json.data;
await untilJobsAreDone(service);
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
  if (chart === undefined) return body;
  const { body_markdown } = body.payload;
  const text = `${body_markdown}\n\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n`;
  return { ...body, payload: { ...body.payload, body_markdown: text } };
}

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
    [
      `${at}: half a hash`,
      `${at}.content_sha256`,
      file.content_sha256.slice(0, 32),
      field("content_sha256"),
      "64 digits",
    ],
    [`${at}: no row`, `${at}.filter.0.value`, "c", told, isFigure ? "blank cell" : "got none"],
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
  ["taken slug", "slug", slug, "slug", "choose another"],
  ["unknown section", "section", "nowhere", "section"],
  ["stray text", `${FIGURE}.text`, "7.5", `${FIGURE}.text`, "does not stand in"],
  ["long unit", `${FIGURE}.unit`, "m".repeat(900), `${FIGURE}.unit`],
  [`${FIGURE}: wrong decimals`, `${FIGURE}.decimals`, 99, `${FIGURE}.decimals`],
  [`${FIGURE}: wrong aggregate`, `${FIGURE}.from.aggregate.0.op`, "highest", `${FIGURE}.from.aggregate.0.op`],
  [`${FIGURE}: another value`, `${FIGURE}.from.filter.0.value`, "b", `${FIGURE}.text`, "The data say 0.5"],
  [
    `${FIGURE}: no number`,
    `${FIGURE}.from.aggregate`,
    [{ op: "sum", column: "station" }],
    `${FIGURE}.from.aggregate.0.column`,
    "is no number",
  ],
  [
    `${FIGURE}: two columns`,
    `${FIGURE}.from.group`,
    [{ column: "station" }],
    `${FIGURE}.from`,
    "columns; a figure needs one",
  ],
  ...QUESTION_FAULTS(`${FIGURE}.from`, `${FIGURE}.from`),
  ["wrong mark", "chart.mark", "pie", "payload.body_markdown", "mark"],
  ["wrong type", "chart.encoding.y.type", "ordinal", "payload.body_markdown", "encoding.y"],
  ["chart: field of no row", "chart.encoding.x.field", "place", "payload.body_markdown", 'names "place"'],
  ...QUESTION_FAULTS("chart.data.from", "payload.body_markdown"),
];

const REFUSED = "(?:wrong op|unknown column|unknown sort|wrong limit|unknown member)";
const FOUND = "(?:no row|another value|no number)";
/** A fault that stands only once another is mended: it depends on how that is. */
const HIDDEN: [hiding: RegExp, hidden: RegExp][] = [
  // Of no work the revisions are known, of no file the hash and the columns.
  [/missing target/, /missing revision/],
  [/figures.*unknown file/, /figures.*(?:wrong hash|unknown column|unknown sort|two columns)/],
  [/chart.*unknown file/, /chart.*(?:wrong hash|unknown column|unknown sort|field of no row)/],
  // Which rows are found depends on the whole question; which columns, on a member that may be a misspelt `group`.
  [new RegExp(`figures.*(?:unknown file|wrong aggregate|${REFUSED})`), new RegExp(`figures.*${FOUND}`)],
  [new RegExp(`chart.*(?:unknown file|${REFUSED})`), new RegExp(`chart.*${FOUND}`)],
  [/figures.*(?:unknown member|wrong aggregate)/, /figures.*two columns/],
  [/chart.*unknown member/, /chart.*field of no row/],
  // A value is one cell, and is compared as its decimals and unit write it.
  [/figures.*(?:two columns|no number)/, /figures.*(?:no row|another value)/],
  [/figures.*no row/, /figures.*no number/],
  [/wrong decimals|long unit/, /another value/],
  // A label that is refused may be any; what counts as blank decides every rule of a column.
  [/no label|no other label|no id/, /unknown label/],
  [/unknown file|no dataset|no id/, /unknown place/],
  [/wrong blanks/, /broken rule/],
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

const isWithin = ([, one]: Fault, [, other]: Fault) => `${one}.`.startsWith(`${other}.`);
const pairsOf = (faults: Fault[]) =>
  faults
    .flatMap((one, at) => faults.slice(at).map((other) => [one, other] as const))
    .filter(([one, other]) => one === other || (!isWithin(one, other) && !isWithin(other, one)))
    .filter(([[one], [other]]) => !isHidden(one, other) && !isHidden(other, one));

test.each([
  { of: "a story", make: makeBody, pairs: some(pairsOf(FAULTS), 10) },
  {
    of: "a dataset",
    make: () => makeDataset(stations.id, file.id),
    pairs: some(pairsOf(listDatasetFaults({ note: note.id, slug })), 4),
  },
])(
  "of two faults of $of both are told by one check as by a save, and no token is answered",
  async ({ make, pairs }) => {
    const missing: string[] = [];
    expect(await check(toSent(make()))).toEqual([]);
    for (const pair of pairs) {
      const body = make();
      for (const fault of pair) plant(body, fault);
      const problems = await check(toSent(body));
      const refused = await save(toSent(body));
      for (const fault of pair) {
        const isMissing =
          !isTold(problems, fault) || (!TOLD_ALONE.test(pair.join()) && !isTold(refused, fault));
        if (isMissing) missing.push(`${fault[0]} beside ${pair.map(([name]) => name)}`);
      }
    }
    expect(missing).toEqual([]);
  },
  600_000,
);

/** A token is told before a save looks further; a section is looked for by what publishes. */
const TOLD_ALONE = /token in|unknown section/;

async function save(body: Json): Promise<Json[]> {
  const { json, text } = await agent.send("POST", "/creations", body);
  expect(text).not.toContain(agent.token);
  return Object.entries<string[]>(json.errors ?? {}).flatMap(([field, sentences]) =>
    sentences.map((message) => ({ field, message })),
  );
}

async function check(body: Json): Promise<Json[]> {
  const { json, text } = await agent.send("POST", "/creations/check", body, { key: null });
  expect(text).not.toContain(agent.token);
  return json.data.problems;
}
