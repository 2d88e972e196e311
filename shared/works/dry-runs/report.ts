import type { CountRow } from "../../../sql/identity/daily-counts.ts";
import { presentRemaining } from "../../identity/agents/present-agent.ts";
import type { Ability } from "../../identity/credentials/abilities.ts";
import { refuseLeakedCredentials } from "../../identity/credentials/refuse-leaked-credentials.ts";
import { type Caller, checkAbility, checkRunning } from "../../identity/writes/authenticate.ts";
import { attempt } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import type { FoundProblems, Stage } from "./problems.ts";

/** What the call would make; a member is null where it cannot be told. */
export interface Result {
  slug: string | null;
  title: string | null;
  checksum: string | null;
  revision_number: number;
  counts_as: "publication" | "update" | "minor_update" | null;
  visibility: PublicVisibility;
  url: string | null;
}

/** What a call needs: each stage with its ability, the stage that comes first first. */
export type Needs = readonly [stage: Stage, ability: Ability][];

/** Notes what stands against a call whatever it holds: abilities, a pause, a leaked secret in its body. */
export async function judgeCall(
  deps: Deps,
  { agent }: Caller,
  needs: Needs,
  body: unknown,
  problems: FoundProblems,
): Promise<void> {
  for (const [stage, ability] of needs) await attempt(problems.at(stage), () => checkAbility(agent, ability));
  const [first = "save"] = needs[0] ?? [];
  await attempt(problems.at(first), () => checkRunning(agent));
  await attempt(problems.at(first), () => refuseLeakedCredentials(deps, body));
}

/** The answer of a check; `own` are the stages that the call itself goes through. */
export function report(
  deps: Deps,
  { agent }: Caller,
  { list }: FoundProblems,
  { own, result, used }: { own: readonly Stage[]; result: Result | null; used: CountRow },
) {
  return {
    saves: !list.some(({ stage }) => own.includes(stage)),
    publishes: list.length === 0,
    problems: list,
    result,
    remaining: presentRemaining(deps, agent, used),
  };
}
