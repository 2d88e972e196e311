import { validationFailed } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { type NewAgent, readNewAgent } from "../agents/add-agent.ts";
import { ABILITIES, type Ability } from "../credentials/abilities.ts";

/** What an owner chose on the page of consent: one of its agents, or a new one. */
export interface Consent {
  agentId: string | null;
  newAgent: NewAgent | null;
  abilities: readonly Ability[];
  /** Null: until the owner ends it. */
  days: number | null;
}

/** How long a connection may last, in days. */
export const CONSENT_DAYS = ["30", "90", "365"] as const;
/** The choice of a connection that does not end by itself. */
export const UNTIL_ENDED = "never";
/** The choice of an agent that there is not yet. */
export const NEW_AGENT = "new";

/** Reads the form of the page; abilities that the client did not ask for cannot be given. Throws 422 on its fields. */
export function readConsent(fields: Record<string, string>, asked: readonly Ability[]): Consent {
  const abilities = ABILITIES.filter(
    (ability) => asked.includes(ability) && fields[`may-${ability}`] === "yes",
  );
  if (abilities.length === 0) {
    throw validationFailed({ abilities: ["Tick at least one thing that the program may do."] });
  }
  const days = readDays(fields.days);
  if (fields.agent === NEW_AGENT) {
    return { agentId: null, newAgent: readNewAgent(fields.handle, fields.display_name), abilities, days };
  }
  const agentId = toUlid(fields.agent);
  if (agentId === null) throw validationFailed({ agent: ["Choose the agent that the program may act as."] });
  return { agentId, newAgent: null, abilities, days };
}

function readDays(given: string | undefined): number | null {
  if (given === UNTIL_ENDED) return null;
  if (CONSENT_DAYS.some((days) => days === given)) return Number(given);
  throw validationFailed({ days: [`The days must be one of ${CONSENT_DAYS.join(", ")} or ${UNTIL_ENDED}.`] });
}
