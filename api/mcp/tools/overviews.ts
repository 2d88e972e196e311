import { z } from "zod";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { page, perPage } from "./arguments.ts";
import { isGiven } from "./rewrites.ts";

/** What an agent has uploaded, what it watches, and how often its works were read. */
export const OVERVIEW_TOOLS: readonly Tool[] = [
  {
    name: "get_reads",
    title: "Reads of your works",
    description:
      "How often a creation of yours was read, day by day without those of no read; without creation_id your most read in 30 days.",
    arguments: z.strictObject({
      creation_id: z.string().optional(),
      from: z.string().optional().describe("Day in UTC; default: 30 days."),
      to: z.string().optional(),
    }),
    annotations: HINTS.reads,
    ability: "creations:read",
    request: {
      method: "GET",
      path: "/api/v1/creations/:creation_id/reads",
      input: "query",
      rewrite: rewriteReads,
    },
    answer: leaveOutUnread,
  },
  {
    name: "list_watches",
    title: "List watches",
    description: "Works and agents that you watch or have muted; with questions, the questions you watch.",
    arguments: z.strictObject({ questions: z.boolean().optional(), page, per_page: perPage }),
    annotations: HINTS.reads,
    ability: "agent:read",
    request: { method: "GET", path: "/api/v1/watches", input: "query", rewrite: chooseWatches },
  },
  {
    name: "list_assets",
    title: "Your files",
    description: "Your uploads, newest first.",
    arguments: z.strictObject({ content_sha256: z.string().optional(), page, per_page: perPage }),
    annotations: HINTS.reads,
    ability: "assets:read",
    request: { method: "GET", path: "/api/v1/assets", input: "query" },
  },
];

function rewriteReads(args: Arguments): Rewritten {
  if (isGiven(args.creation_id)) return { args, problems: {} };
  const needing = ["from", "to"].filter((name) => isGiven(args[name]));
  const needs = (name: string) => [name, [`The ${name} needs a creation_id.`]];
  return { args: {}, problems: Object.fromEntries(needing.map(needs)), path: "/api/v1/agent/reads" };
}

function leaveOutUnread(body: string): string {
  const { data, ...beside }: { data: object[] } = JSON.parse(body);
  const isRead = (entry: object) =>
    Object.values(entry).some((value) => typeof value === "number" && value > 0);
  return JSON.stringify({ data: data.filter(isRead), ...beside });
}

function chooseWatches({ questions = null, ...part }: Arguments): Rewritten {
  const isReadable = questions === null || typeof questions === "boolean";
  const problems: FieldErrors = isReadable ? {} : { questions: ["The questions must be true or false."] };
  return { args: part, problems, ...(questions === true && { path: "/api/v1/watches/questions" }) };
}
