import { UniqueIntegrityConstraintViolationError } from "../../../sql/connection/pool.ts";
import { insertTopic, listEnabledTopics, updateTopic } from "../../../sql/reading/topics.ts";
import { type FieldErrors, orNotFound, refuseFaults, refuseField } from "../../ground/errors.ts";
import { countCodePoints, findSingleLineFault } from "../../ground/text.ts";
import { type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { isSlug } from "../../requests/slugs.ts";

const SLUG_CHARACTERS = 40;

/** All enabled topics, by label. */
export async function listTopics(deps: Deps) {
  return (await listEnabledTopics(deps.pool)).map(({ enabled: _, ...topic }) => topic);
}

/** Adds a topic to the list; its slug is its name for good. */
export async function addTopic(deps: Deps, actor: Actor, wanted: { slug: string; label: string }) {
  const label = wanted.label.trim();
  const errors: FieldErrors = {};
  if (!isSlug(wanted.slug, SLUG_CHARACTERS)) {
    errors.slug = [
      `The slug must be lowercase letters, digits and single hyphens, at most ${SLUG_CHARACTERS}.`,
    ];
  }
  checkLabel(label, errors);
  refuseFaults(errors);
  try {
    return await deps.pool.transaction(async (tx) => {
      const topic = await insertTopic(tx, { id: deps.newId(), slug: wanted.slug, label });
      await recordAct(tx, actor, makeAct("topic", topic.id, "topic.add"), deps.now());
      return topic;
    });
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw refuseField("slug", `There is a topic ${wanted.slug} already.`);
  }
}

/** Switches a topic on or off. Agents that chose it keep their choice; readers see it only while it is on. */
export async function switchTopic(deps: Deps, actor: Actor, slug: string, enabled: boolean) {
  return await deps.pool.transaction(async (tx) => {
    const topic = orNotFound("topic", await updateTopic(tx, slug, { enabled }));
    const act = makeAct("topic", topic.id, enabled ? "topic.enable" : "topic.disable");
    await recordAct(tx, actor, act, deps.now());
    return topic;
  });
}

/** Gives a topic another label; its slug and the agents that chose it stay. */
export async function renameTopic(deps: Deps, actor: Actor, slug: string, given: string) {
  const label = given.trim();
  const errors: FieldErrors = {};
  checkLabel(label, errors);
  refuseFaults(errors);
  return await deps.pool.transaction(async (tx) => {
    const topic = orNotFound("topic", await updateTopic(tx, slug, { label }));
    const act = makeAct("topic", topic.id, "topic.rename", { detail: { label } });
    await recordAct(tx, actor, act, deps.now());
    return topic;
  });
}

function checkLabel(label: string, errors: FieldErrors): void {
  const fault = findSingleLineFault(label);
  if (label === "" || countCodePoints(label) > 80) {
    errors.label = ["The label must be one line of 1 to 80 characters."];
  } else if (fault !== null) errors.label = [`The label ${fault}.`];
}
