import { isRecord } from "../../shared/requests/read-body.ts";
import { noName, type Params, RPC, RpcError } from "./messages.ts";
import { answerWith, FOR_EVERYONE, listOnOnePage, type Method } from "./methods.ts";
import KNOWN from "./prompts.json" with { type: "json" };

/** Behind the lines of each task, as a user would set it; {name} in one stands for an argument. */
const CARE =
  "Every change takes the lock_version of the answer before it. When a call is refused, read its code and errors, correct what they name and call again; read_doc page errors explains each code.";

/** The methods about prompts; both eras have the same. */
export function openPrompts(): [string, Method][] {
  const prompts = KNOWN.map(({ text: _, ...prompt }) => prompt);
  return [
    ["prompts/list", listOnOnePage({ prompts, ...FOR_EVERYONE })],
    ["prompts/get", (scope, params) => answerWith(getPrompt(params))(scope, params)],
  ];
}

function getPrompt({ name, arguments: given }: Params): object {
  const prompt = KNOWN.find((known) => known.name === name);
  if (prompt === undefined)
    throw noName(
      name,
      "prompt",
      KNOWN.map((known) => known.name),
    );
  if (given != null && !isRecord(given))
    throw new RpcError(RPC.invalidParams, "The arguments must be an object.");
  const taken = prompt.arguments.map((argument) => argument.name);
  const unknown = Object.keys((given ?? {}) as Params).find((one) => !taken.includes(one));
  if (unknown !== undefined) throw noName(unknown, "argument", taken, "prompt");
  const values = new Map(Object.entries((given ?? {}) as Params));
  const missing = prompt.arguments.find((argument) => argument.required && !values.get(argument.name));
  if (missing !== undefined)
    throw new RpcError(RPC.invalidParams, `The argument ${missing.name} is required.`);
  const other = prompt.arguments.find((argument) => typeof (values.get(argument.name) ?? "") !== "string");
  if (other !== undefined)
    throw new RpcError(RPC.invalidParams, `The argument ${other.name} must be a text.`);
  const lines = [...prompt.text, CARE].join("\n");
  const text = lines.replace(/\{(\w+)\}/g, (_, key: string) => `${values.get(key) ?? "not given"}`);
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
}
