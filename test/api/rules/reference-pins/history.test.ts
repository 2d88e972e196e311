import fc from "fast-check";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { runs } from "../../../support/depth.ts";
import { openService } from "../../../support/service.ts";
import { act } from "../../../support/work-acts.ts";
import { type Citation, type CitedWork, describeCitation, goLive, newWork, putOut } from "./history.ts";
import { citing, publishWork, readJson, republish, textOf } from "./works.ts";

const HISTORIES = 48;
const STEPS = 16;
const CITING = 3;

const limits = { publicationsPerDay: 1e6, updatesPerDay: 1e6, creations: 1e6, revisionsPerCreation: 1e4 };
const service = await openService({ workers: false, limits });
const agent = await connectAuthor(service);

/** Both sides of one history: the works of the service, and what the rules say of them. */
interface History {
  work: Json;
  cited: CitedWork;
  citing: { work: Json; citation: Citation }[];
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("update"), words: words(), minor: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("draft"), words: words() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("restore"), pick: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("remove"), pick: fc.nat(99) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("close") }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("cite"), at: fc.nat(CITING - 1) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("ask"), at: fc.nat(CITING - 1), pick: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("cite-again"), at: fc.nat(CITING - 1) }) },
);
type Step = { does: string; words?: string; minor?: boolean; pick?: number; at?: number };

// Few words, so that an old content often comes back.
function words() {
  return fc.constantFrom("One.", "Two.", "Three.");
}

const pickOf = <T>(list: readonly T[], pick = 0): T | undefined => list[pick % Math.max(1, list.length)];

async function change(
  { work, cited }: History,
  { does, words = "", minor = false, pick }: Step,
): Promise<void> {
  const { line } = cited;
  if (does === "update") {
    await republish(agent, work, textOf(words), { minor });
    putOut(cited, words, minor);
  } else if (does === "draft") {
    await republish(agent, work, textOf(words), { publish: null });
    cited.saves += 1;
  } else if (does === "restore") {
    const old = pickOf(
      line.filter(({ isRemoved }) => !isRemoved),
      pick,
    );
    if (old === undefined) return;
    await act(agent, work, "restore", { revision_id: old.number });
    putOut(cited, old.words, false);
  } else if (does === "remove") {
    const old = pickOf(
      line.slice(0, -1).filter(({ isRemoved }) => !isRemoved),
      pick,
    );
    if (old === undefined) return;
    const { id } = (await agent.get(`/creations/${work.id}/revisions/${old.number}`)).json.data;
    await removeContent(service.deps, COMMAND_LINE, id, "owner");
    old.isRemoved = true;
  } else if (does === "close") {
    await act(agent, work, "unpublish", {});
    cited.isOpen = false;
  }
}

async function cite(history: History, { does, at = 0, pick }: Step): Promise<void> {
  const { work, cited, citing: texts } = history;
  const text = texts[at];
  if (does === "cite-again") {
    if (text === undefined) return;
    const { latest_revision } = (await agent.get(`/creations/${text.work.id}`)).json.data;
    await act(agent, text.work, "restore", { revision_id: latest_revision.revision_number });
    text.citation = goLive(cited, text.citation.asked);
    return;
  }
  const asked = does === "ask" ? (pickOf(cited.line, pick)?.number ?? null) : null;
  const payload = citing(work, asked === null ? {} : { revision_number: asked });
  const citation = goLive(cited, asked);
  if (text === undefined) texts.push({ work: await publishWork(agent, payload), citation });
  else {
    await republish(agent, text.work, payload);
    text.citation = citation;
  }
}

const toTold = (one: Json) =>
  one && {
    pinned: one.pinned?.revision_number ?? null,
    isLinked: (one.pinned?.url ?? null) !== null,
    current: one.current_revision_number,
    changed: one.changed_since,
  };

async function compare({ work, cited, citing: texts }: History): Promise<void> {
  const back = cited.isOpen ? (await readJson(service, agent, work)).cited_by : [];
  for (const text of texts) {
    const wanted = describeCitation(cited, text.citation);
    const { references } = await readJson(service, agent, text.work);
    expect(toTold(references[0] ?? null)).toEqual(wanted);
    expect(toTold(back.find(({ id }: Json) => id === text.work.id) ?? null)).toEqual(wanted);
  }
}

const nameChanged = (told: ReturnType<typeof describeCitation>) =>
  told === null ? "closed" : String(told.changed);

test("what is told of references follows the history of their target, whatever is done to it", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: STEPS }), async (steps) => {
      const history: History = { work: await makeCreation(agent), cited: newWork(), citing: [] };
      history.cited.saves = 1;
      for (const one of steps) {
        await (/^(cite|ask)/.test(one.does) ? cite(history, one) : change(history, one));
        await compare(history);
        for (const { citation } of history.citing) {
          seen.add(nameChanged(describeCitation(history.cited, citation)));
        }
      }
    }),
    { numRuns: runs(HISTORIES, 20) },
  );
  // The histories reach every answer.
  expect([...seen].toSorted()).toEqual(["closed", "false", "null", "true"]);
});
