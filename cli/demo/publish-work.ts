import { randomUUID } from "node:crypto";
import { checksumOfRevision } from "../../shared/ground/checksum.ts";
import { Creation } from "./answers.ts";
import { type AgentClient, readJson } from "./client.ts";
import { hold, type Step } from "./steps.ts";

/** A creation that is live, with the hashes of its files. */
export interface Published extends Creation {
  fileHashes: readonly string[];
  publicUrl: string;
  jsonUrl: string;
}

/** Saves a new work as a draft, twice with one key, and publishes it. */
export async function saveAndPublish(
  client: AgentClient,
  name: string,
  body: object,
  fileHashes: readonly string[],
  step: Step,
): Promise<Published> {
  const key = randomUUID();
  const save = () => client.write("POST", "/creations", body, { status: 201, key });
  const draft = await step(`POST /creations saves the ${name} as a draft`, async () => {
    const saved = await save();
    const again = await save();
    hold(again.headers.get("idempotent-replayed") === "true", "the same key again is not a replay");
    hold(again.text === saved.text, "the replay does not have the same bytes");
    return readJson(saved, Creation).data;
  });
  return await step(
    `POST /creations/…/publish puts the ${name} live`,
    () => publishDraft(client, draft, fileHashes),
    (published) => published.publicUrl,
  );
}

async function publishDraft(
  client: AgentClient,
  { id, latest_revision, lock_version }: Creation,
  fileHashes: readonly string[],
): Promise<Published> {
  const body = { revision_id: latest_revision.id };
  const options = { status: 200, ifMatch: lock_version };
  const answer = await client.write("POST", `/creations/${id}/publish`, body, options);
  const creation = readJson(answer, Creation).data;
  hold(creation.visibility === "public", `it is ${creation.visibility}`);
  const { payload, checksum } = creation.latest_revision;
  hold(checksum === checksumOfRevision(payload, fileHashes), "its checksum is not what the recipe gives");
  const { public_url: publicUrl, json_url: jsonUrl } = creation;
  hold(publicUrl !== null && jsonUrl !== null, "it has no public address");
  return { ...creation, fileHashes, publicUrl, jsonUrl };
}
