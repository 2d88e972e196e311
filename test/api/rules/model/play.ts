import fc from "fast-check";
import { expect } from "vitest";
import type { Answer, Request } from "./calls.ts";
import { obey, send } from "./model.ts";
import { wait } from "./publication.ts";
import {
  createModel,
  DAY_MS,
  type Model,
  type ModelLimits,
  revisionView,
  viewOf,
  viewOfAgent,
} from "./state.ts";
import { aStep, type Draw, resolve, type Step } from "./steps.ts";
import type { System } from "./system.ts";

/** So low that a sequence of thirty steps meets them. */
export const MODEL_LIMITS: ModelLimits = { creations: 5, revisions: 6, publications: 2, updates: 2 };
const STEPS = 30;

/**
 * A sequence of steps, most with a live front page to begin with. Drawn without bias: fast-check likes small numbers and
 * repeated values, and most of those are something wrong here.
 */
export const aSequence = fc.noBias(
  fc.record({
    withFrontPage: fc.nat(9).map((drawn) => drawn < 9),
    draws: fc.array(aStep, { minLength: STEPS, maxLength: STEPS }),
  }),
);
type Sequence = typeof aSequence extends fc.Arbitrary<infer Value> ? Value : never;

/** Nine o'clock on the day after a moment. */
export function nextMorning(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS + 9 * 3_600_000;
}

/** Plays one sequence on service and model; throws at the first difference, telling every step up to it. */
export async function play(
  system: System,
  { withFrontPage, draws }: Sequence,
  nowMs: number,
  limits: ModelLimits = MODEL_LIMITS,
): Promise<void> {
  const model = createModel(limits, nowMs);
  const told: string[] = [];
  const sent: Request[] = [];
  try {
    if (withFrontPage) await openFrontPage(system, model);
    for (const [number, draw] of draws.entries()) {
      const step = resolve(model, draw, number, sent);
      if (step === null) continue;
      told.push(tell(step));
      if (step.do === "call") sent.push(step.request);
      await takeStep(system, model, step);
    }
    await lookAtAll(system, model);
    await lookAtRevisions(system, model);
  } catch (error) {
    throw new Error(`after ${told.length} steps:\n${told.join("\n")}\n${String(error)}`, { cause: error });
  }
}

async function openFrontPage(system: System, model: Model): Promise<void> {
  const base: Draw = {
    ...{ kind: "saveProfile", creation: 0, type: "story", section: null, summary: false, minor: false },
    dice: { creation: 50, revision: 50, ifMatch: 50, key: 50, more: 0 },
    visibility: null,
  };
  for (const [place, kind] of ["saveProfile", "publishProfile"].entries()) {
    const step = resolve(model, { ...base, kind }, -1 - place, []);
    if (step) await takeStep(system, model, step);
  }
}

/** The model's answers pass where the system sees timestamps as they are, or as mere facts. */
function same(system: System, actual: unknown, expected: unknown): void {
  expect(actual).toEqual(system.blur?.(expected) ?? expected);
}

async function takeStep(system: System, model: Model, step: Step): Promise<void> {
  if (step.do === "wait") {
    const before = seenOf(model);
    wait(model, step.untilMs, step.sweeps);
    const looks = [...before.keys()];
    await lookMeanwhile(system, model, before, looks, () => system.wait(step.untilMs, step.sweeps));
    return await lookAtAll(system, model);
  }
  const { creation } = step.do === "order" ? step.order : step.request;
  if (step.do === "order") expect(await system.order(step.order)).toBe(obey(model, step.order));
  const tellsAll = step.do === "call" && (await compareCall(system, model, step.request));
  const looks: Promise<void>[] = [];
  if (step.do === "order" || !LEAVES_AGENT.has(step.request.kind)) looks.push(lookAtAgent(system, model));
  if (!tellsAll && typeof creation === "number") looks.push(lookAtOne(system, model, creation));
  await Promise.all(looks);
}

/** Whatever they do, nothing of the agent's resource moves; a later look would tell. */
const LEAVES_AGENT = new Set(["patch", "schedule", "cancel", "visibility", "unpublish"]);

async function lookAtAgent(system: System, model: Model): Promise<void> {
  expect(await system.lookAtAgent()).toEqual(viewOfAgent(model));
}

/** Tells whether the answer held the creation as it is now: neither a refusal nor a replay. */
async function compareCall(system: System, model: Model, request: Request): Promise<boolean> {
  const isReplay = request.key !== null && model.keys.has(request.key);
  const before = seenOf(model);
  const { creation } = request;
  const looks = typeof creation === "number" && request.kind !== "create" ? [creation, creation] : [];
  const expected = send(model, request);
  const answer = await lookMeanwhile(system, model, before, looks, () => system.call(request));
  same(system, answer, expected);
  return expected.view !== null && !isReplay;
}

/** What each creation looks like to its agent; nothing where the agent may not read. */
function seenOf(model: Model) {
  return viewOfAgent(model) === null
    ? []
    : model.creations.map((creation) => structuredClone(viewOf(creation)));
}

/** Acts, and looks at creations meanwhile: each answer is the state before or the one behind, never a mixture. */
async function lookMeanwhile<Result>(
  system: System,
  model: Model,
  before: ReturnType<typeof seenOf>,
  places: readonly number[],
  act: () => Promise<Result>,
): Promise<Result> {
  const known = places.filter((place) => before[place] !== undefined);
  const [result, ...answers] = await Promise.all([act(), ...known.map((place) => system.lookAt(place))]);
  for (const [index, { view }] of answers.entries()) {
    const place = known[index] ?? 0;
    const states = [before[place], seenOf(model)[place]].map((state) => system.blur?.(state) ?? state);
    expect(states).toContainEqual(view);
  }
  return result;
}

/** Whatever was refused changed nothing, and whatever was answered stands. */
async function lookAtOne(system: System, model: Model, place: number): Promise<void> {
  const creation = model.creations[place];
  const mayRead = viewOfAgent(model) !== null;
  if (!creation || !mayRead) return;
  const expected: Answer = { status: 200, code: null, view: viewOf(creation) };
  same(system, await system.lookAt(place), expected);
}

async function lookAtAll(system: System, model: Model): Promise<void> {
  if (viewOfAgent(model) === null) return;
  const looks = [...model.creations.keys()].map((place) => lookAtOne(system, model, place));
  await Promise.all([lookAtAgent(system, model), ...looks]);
}

async function lookAtRevisions(system: System, model: Model): Promise<void> {
  if (viewOfAgent(model) === null) return;
  for (const [place, creation] of model.creations.entries()) {
    same(system, await system.lookAtRevisions(place), creation.revisions.map(revisionView));
  }
}

const IRRELEVANT = new Set(["sections", "named"]);
function tell(step: Step): string {
  return JSON.stringify(step, (name, value) => (IRRELEVANT.has(name) ? undefined : value));
}
