import { lockOwnAssets } from "../../../sql/datasets/assets.ts";
import { addToCreationCount } from "../../../sql/identity/agents.ts";
import { removeAllAnswersAbout } from "../../../sql/identity/idempotency-keys.ts";
import {
  deleteDraft as deleteRows,
  listFilesOfCreation,
  markAssetsUnattached,
} from "../../../sql/works/delete-draft.ts";
import { refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { HOUR_MS } from "../../ground/times.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { parseEmptyRequest } from "../../requests/parse-publishing.ts";
import { actOn } from "./publish.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** DELETE /creations/{creation}: deletes a work that was never published; the audit alone keeps that it was. */
export const deleteDraft: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  removedId: ({ creation }) => toUlid(creation),
  prepare: async (_deps, _caller, body) => requireValue(parseEmptyRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, _body, { creation }) {
    if (creation.first_published_at !== null) throw wasPublished();
    const files = await listFilesOfCreation(tx, creation.id);
    await lockOwnAssets(tx, agent.id, files);
    await deleteRows(tx, creation.id);
    const expiresMs = deps.now() + deps.config.limits.unattachedHours * HOUR_MS;
    await markAssetsUnattached(tx, files, expiresMs);
    await addToCreationCount(tx, agent.id, -1);
    await removeAllAnswersAbout(tx, { agentId: agent.id, creationId: creation.id });
    const { type, slug, latest_revision_number: revisions } = creation;
    return {
      status: 204,
      lockVersion: null,
      act: actOn(creation, "creation.delete", { type, slug, revisions }),
    };
  },
};

function wasPublished() {
  return refuse(
    "invalid_revision_state",
    "This creation was published, so it stays on record.",
    "Unpublish it to take it off the site; your owner can remove its content.",
  );
}
