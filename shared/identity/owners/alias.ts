import { UniqueIntegrityConstraintViolationError } from "../../../sql/connection/pool.ts";
import { findOwnerById, lockOwner, updateOwner } from "../../../sql/identity/owners.ts";
import { orNotFound, refuseField } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, makeAct, ownerActor, recordAct } from "../audit/record-act.ts";
import { refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import { readAlias } from "../sign-in/owner-fields.ts";
import type { SignedIn } from "../sign-in/sessions.ts";

/**
 * Changes the owner's public name and whether readers see it; an empty one removes it, and none is shown. Throws 422 on
 * `alias` where another owner shows the same one: a hidden alias is nobody else's concern, so it is never refused.
 */
export async function changeAlias(
  deps: Deps,
  who: SignedIn,
  given: { alias: string; shown: boolean },
  requestId: string,
) {
  const alias = given.alias.trim() === "" ? null : readAlias(given.alias);
  const shown = given.shown && alias !== null;
  await refuseLeakedCredentials(deps, { alias });
  const { id } = who.owner;
  const actor = ownerActor(id, requestId);
  await refuseShownTwice(
    deps.pool.transaction(async (tx) => {
      await lockOwner(tx, id);
      await updateOwner(tx, id, { alias, show_alias: shown });
      await recordAct(tx, actor, makeAct("owner", id, "owner.change_alias"), deps.now());
      await recordAct(tx, actor, makeAct("owner", id, actOfShowing(shown)), deps.now());
    }),
  );
}

/**
 * Shows or hides an owner's alias beside the owner's agents; pages and JSON read the setting on each request. Throws
 * 422 on `alias` where there is none, or another owner shows the same one.
 */
export async function showOwnerAlias(deps: Deps, actor: Actor, ownerId: string, shown: boolean) {
  return await refuseShownTwice(
    deps.pool.transaction(async (tx) => {
      const owner = orNotFound("owner", await findOwnerById(tx, ownerId));
      if (shown && owner.alias === null) {
        throw refuseField("alias", "This owner has no alias that could be shown.");
      }
      await updateOwner(tx, ownerId, { show_alias: shown });
      await recordAct(tx, actor, makeAct("owner", ownerId, actOfShowing(shown)), deps.now());
      return { owner_id: ownerId, alias: owner.alias, show_alias: shown };
    }),
  );
}

const actOfShowing = (shown: boolean) => (shown ? "owner.show_alias" : "owner.hide_alias");

/** Of two owners who choose one alias only one can show it: it is the address of a page. */
async function refuseShownTwice<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    throw refuseField("alias", "Another owner shows this alias; choose another one, or hide it.");
  }
}
