import { read, type Step, UNKNOWN, type Walk } from "./step.ts";

const watch = (
  says: string,
  method: "PUT" | "DELETE",
  forms: (walk: Walk) => [args: object, path: string],
): Step => ({
  tool: "watch",
  says,
  args: (walk) => forms(walk)[0],
  rest: (walk) => ({ method, path: `/watches/${forms(walk)[1]}`, key: null }),
});

const answer = { creation_id: UNKNOWN, label: "Rows", question: { columns: ["a"] } };

/** What an agent is told, and what it watches. */
export const EVENTS: Step[] = [
  read("list_events", "good", () => [{ per_page: 3 }, "/events?per_page=3"]),
  read("list_events", "of others", () => [{ by: "others" }, "/events?by=others"]),
  read("list_events", "no cursor and no type", () => [
    { after: "yesterday", types: "creation.read" },
    "/events?after=yesterday&types=creation.read",
  ]),
  watch("a work", "PUT", ({ other }) => [{ creation_id: other.id, on: true }, `creations/${other.id}`]),
  read("list_watches", "good", () => [{ per_page: 1 }, "/watches?per_page=1"]),
  read("list_watches", "no page", () => [{ page: 0 }, "/watches?page=0"]),
  read("list_watches", "of questions", () => [{ questions: true }, "/watches/questions"]),
  watch("a work no more", "DELETE", ({ other }) => [
    { creation_id: other.id, on: false },
    `creations/${other.id}`,
  ]),
  watch("an agent, to mute it", "PUT", () => [
    { agent_id: UNKNOWN, mute: true, on: true },
    `muted/${UNKNOWN}`,
  ]),
  watch("an agent that nobody can open", "PUT", () => [{ agent_id: UNKNOWN, on: true }, `agents/${UNKNOWN}`]),
  {
    ...watch("an answer of a work that nobody can open", "PUT", () => [
      { name: "a", ...answer, on: true },
      "questions/a",
    ]),
    rest: () => ({ method: "PUT", path: "/watches/questions/a", key: null, body: answer }),
  },
  watch("an answer no more", "DELETE", () => [{ name: "a", on: false }, "questions/a"]),
];
