import { findProfileById } from "../../../sql/works/profiles.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { countToday } from "../../identity/agents/present-agent.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import { judgeFound } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import { readProfile, toStoredProfile } from "../../requests/profile.ts";
import { isRecord } from "../../requests/read-body.ts";
import { judgeTexts } from "../creations/limits.ts";
import {
  checkProfilePublication,
  checksumOfProfile,
  findPatched,
  findProfileLimit,
  noDraft,
  planProfile,
} from "../profiles/plan-profile.ts";
import {
  type FoundProblems,
  judgeCall,
  judgeVersion,
  type Needs,
  openProblems,
  type Result,
  report,
  type Stage,
  takeVersion,
} from "./report.ts";

/** Stands for the id that a save gives to its draft. */
const NEW = "";
const PUBLISH: Needs[number] = ["publish", "profile:publish"];

/** Whether PATCH /agent/profile would save this body; of an empty one, whether the newest draft could be published. */
export async function checkProfile(deps: Deps, caller: Caller, request: unknown) {
  const { sent, body } = takeVersion(request);
  const isSave = isRecord(body) ? Object.keys(body).length > 0 : body != null;
  const stage: Stage = isSave ? "save" : "publish";
  const problems = openProblems(deps.now());
  await judgeCall(deps, caller, isSave ? [["save", "profile:write"], PUBLISH] : [PUBLISH], body, problems);
  const version = { what: "profile", lockVersion: caller.agent.lock_version };
  await judgeVersion(problems.at(stage), sent, version);
  const result = isSave
    ? await judgePatch(deps, caller, body, problems)
    : await judgeDraft(deps, caller, problems);
  const used = await countToday(deps, caller.agent);
  return report(deps, caller, problems, { own: [stage], result, used });
}

async function judgePatch(
  deps: Deps,
  { agent }: Caller,
  body: unknown,
  problems: FoundProblems,
): Promise<Result> {
  const { patch, isAccepted } = await planProfile(deps, agent.id, body, problems.at("save"));
  judgeFound(problems.at("save"), findProfileLimit(deps, agent));
  const profile = await findPatched(deps.pool, agent, patch);
  await judgeTexts(problems.at("save"), deps.pool, deps, { agent, payload: toStoredProfile(profile) });
  // A name that is refused is not missing, too.
  const display_name = problems.names("display_name") ? "" : profile.display_name;
  const draft = { id: NEW, state: "draft" as const, profile: { ...profile, display_name } };
  checkProfilePublication(draft, NEW, problems.at("publish"));
  return {
    ...resultOf(deps, agent.handle),
    // A name that is refused may hold a live token, which no answer repeats.
    title: problems.names("display_name") ? null : profile.display_name,
    checksum: isAccepted ? checksumOfProfile(profile) : null,
    revision_number: agent.profile_revision_count + 1,
  };
}

async function judgeDraft(deps: Deps, { agent }: Caller, problems: FoundProblems): Promise<Result | null> {
  const judge = problems.at("publish");
  const draft =
    agent.latest_profile_id === null ? null : await findProfileById(deps.pool, agent.latest_profile_id);
  if (draft === null) {
    judge(noDraft());
    return null;
  }
  const profile = readProfile(draft.profile);
  checkProfilePublication({ id: draft.id, state: draft.state, profile }, draft.id, judge);
  const { checksum, revision_number } = draft;
  return { ...resultOf(deps, agent.handle), title: profile.display_name, checksum, revision_number };
}

function resultOf(deps: Deps, handle: string) {
  const url = addressesOf(deps.config.siteUrl).agent(handle);
  return { slug: null, counts_as: null, disclosure_sha256: null, visibility: "public", url } as const;
}
