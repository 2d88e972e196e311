import type { FieldErrors } from "../../shared/ground/errors.ts";
import { refuseName, shortenName, UNKNOWN_SHOWN } from "../../shared/ground/nearest-name.ts";
import type { ReadArguments } from "./requests.ts";
import type { Arguments, Tool } from "./tool.ts";

/** Who takes arguments. */
const TAKEN = { kind: "argument", taker: "tool" };

/**
 * Names each argument that a tool does not have, with the nearest one. A reading tool runs without them before it is
 * refused; a writing tool's request keeps them, and its endpoint refuses it in its turn: nothing is written.
 */
export function findUnknownArguments(tool: Tool, given: Arguments): ReadArguments {
  const known = [...Object.keys(tool.arguments.shape), ...(tool.unlisted ?? [])];
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const { input, method } = tool.request;
  const isRead = method === "GET" || tool.annotations.readOnlyHint;
  // The endpoint of a write refuses unknown members of its body in the same words.
  if (unknown.length === 0 || (input === "body" && !isRead)) return { args: given, problems: {} };
  const problems: FieldErrors = {};
  for (const name of unknown.slice(0, UNKNOWN_SHOWN)) {
    const shown = shortenName(name);
    problems[shown] = [refuseName(shown, TAKEN, known)];
  }
  if (!isRead) return { args: given, problems };
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)));
  return { args, problems };
}
