import { validationFailed } from "../../ground/errors.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { EVENT_TYPES } from "../events/event-types.ts";

/** The types of events that are wanted, each once and in their order; throws 422 on `types`. */
export function readWebhookTypes(given: readonly string[]): string[] {
  const unknown = given.filter((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown.length > 0) {
    const [name = ""] = unknown;
    throw validationFailed({
      types: [refuseName(name, { kind: "type", taker: "webhook" }, EVENT_TYPES)],
    });
  }
  const types = EVENT_TYPES.filter((type) => given.includes(type));
  if (types.length === 0) throw validationFailed({ types: ["Choose at least one type of events."] });
  return types;
}
