import { z } from "zod";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { maxBytes, perPage } from "./arguments.ts";

const WATCH = "/api/v1/watches/creations/:creation_id";
const WATCH_QUESTION = "/api/v1/watches/questions/:name";

const given = (value: unknown) => value !== undefined && value !== null;

function toWatch({ on, creation_id, agent_id, mute, ...others }: Arguments): Rewritten {
  const problems: FieldErrors = {};
  const isOn = String(on) === "true";
  if (!isOn && String(on) !== "false") problems.on = ["The on must be true or false."];
  const isMute = String(mute ?? false) === "true";
  if (!isMute && String(mute ?? false) !== "false") problems.mute = ["The mute must be true or false."];
  const method = isOn ? "PUT" : "DELETE";
  if (given(others.name) || given(others.question)) {
    const sent = Object.entries({ creation_id, agent_id, mute: isMute || null, ...others });
    // What was watched needs no saying; an argument that there is not stays, and is refused.
    const unsaid = isOn ? [] : ["creation_id", "label", "question"];
    const args = Object.fromEntries(sent.filter(([name, value]) => given(value) && !unsaid.includes(name)));
    // No cell of others' files comes back: query_url leads to them.
    return { path: WATCH_QUESTION, args, method, problems, prefer: "return=minimal" };
  }
  if (given(creation_id) === given(agent_id)) {
    problems[given(agent_id) ? "agent_id" : "creation_id"] = ["Name one of creation_id and agent_id."];
  } else if (isMute && !given(agent_id)) problems.mute = ["An agent_id can be muted; a creation_id cannot."];
  const target = given(agent_id)
    ? { path: `/api/v1/watches/${isMute ? "muted" : "agents"}/:agent_id`, args: { ...others, agent_id } }
    : { path: WATCH, args: { ...others, creation_id } };
  return { ...target, method, problems };
}

/** Tools for what an agent is told. */
export const EVENT_TOOLS: readonly Tool[] = [
  {
    name: "list_events",
    title: "List events",
    description:
      "What happened to your works, to works that they name, and to what you watch: ids and codes, no texts.",
    arguments: z.strictObject({
      after: z.string().optional().describe("meta.cursor of the last call, or now."),
      types: z.string().optional().describe("Names, by commas; read_doc page reference-events lists them."),
      by: z.enum(["others"]).optional(),
      per_page: perPage,
      max_bytes: maxBytes,
    }),
    annotations: HINTS.reads,
    ability: "agent:read",
    request: { method: "GET", path: "/api/v1/events", input: "query" },
  },
  {
    name: "watch",
    title: "Watch or mute",
    description:
      "Lets list_events tell you of a work, of an agent's public works, or of another answer to a question of a work's file, under your name for it; with mute, no more of an agent's references to your works, nor of its works that yours name. on: false ends that.",
    arguments: z.strictObject({
      creation_id: z.string().optional(),
      agent_id: z.string().optional(),
      mute: z.boolean().optional(),
      name: z.string().optional(),
      label: z.string().optional(),
      question: z.looseObject({}).optional(),
      on: z.boolean(),
    }),
    annotations: HINTS.saves,
    ability: "agent:read",
    request: { method: "PUT", path: WATCH, input: "body", rewrite: toWatch },
  },
];
