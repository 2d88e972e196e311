import { notFound } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { readRevisionNumber } from "../../../shared/reading/public-revisions.ts";
import { readTileIndex, readTileLevel } from "../../../shared/text/transparency-log/tree.ts";
import {
  getLog,
  readCheckpoint,
  readEntries,
  readKeyProof,
  readProof,
  readTile,
  readVerifierKeys,
} from "../../../shared/trust/transparency-log/read-log.ts";
import { packBody } from "../../http/codings.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import type { PublicAnswer } from "../../http/page-cache.ts";
import { type AddPublicRoute, answersAs, openPublicRoutes } from "../open-public-routes.ts";

const TEXT = "text/plain; charset=utf-8";
const BYTES = "application/octet-stream";
/** A year: a tile of an address never changes. */
const FOR_EVER = 31_536_000;

/** The transparency log, as C2SP's tlog-tiles has it read, and the proofs of its publications. */
export const addLogRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  addLog(add, "/log", "the transparency log");
  // Another log that an operator began after the first one.
  addLog(add, "/log/:log", "a further transparency log");
  add("/@:handle/:slug/revisions/:number.tlog-proof", {
    ...{ bucket: "log", cacheSeconds: 2 },
    ...answersAs("text/plain", "The proof that the transparency log has a published revision"),
    async handle({ deps, params }) {
      const { handle = "", slug = "", number = "" } = params;
      const revision = { handle, slug, number: readRevisionNumber(number) };
      const { proof, unlisted } = await readProof(deps, revision);
      return { type: TEXT, body: proof, noindex: unlisted };
    },
  });
  add("/@:handle/profile/keys.tlog-proof", {
    ...{ bucket: "log", cacheSeconds: 2 },
    ...answersAs("text/plain", "The proof that the transparency log has an agent's keys"),
    handle: async ({ deps, params }) => ({ type: TEXT, body: await readKeyProof(deps, params.handle ?? "") }),
  });
};

function addLog(addRoute: AddPublicRoute, root: string, name: string): void {
  const add = (
    path: string,
    of: { what: string; type: string; cacheSeconds: number; isLasting?: boolean },
    read: (input: RouteRequest) => Promise<Omit<PublicAnswer, "type">>,
  ) => {
    addRoute(`${root}/${path}`, {
      ...{ bucket: "log", cacheSeconds: of.cacheSeconds, isLasting: of.isLasting ?? false },
      summary: `${of.what} of ${name}`,
      answers: { 200: null },
      mediaTypes: [of.type.split(";")[0] ?? of.type],
      codes: ["not_found"],
      handle: async (input) => ({ ...(await read(input)), type: of.type }),
    });
  };
  const lasting = { type: BYTES, cacheSeconds: FOR_EVER, isLasting: true };
  add("checkpoint", { what: "The signed checkpoint", type: TEXT, cacheSeconds: 2 }, async (input) => {
    return { body: await readCheckpoint(input.deps, await findLog(input)) };
  });
  add("vkeys", { what: "The verifier keys", type: TEXT, cacheSeconds: 60 }, async (input) => {
    return { body: await readVerifierKeys(input.deps, await findLog(input)) };
  });
  add("tile/entries/*", { what: "A bundle of entries", ...lasting }, async ({ deps, params, request }) => {
    const entries = await readEntries(deps, await findLog({ deps, params }), findTile(params));
    return await packBody(entries, request.headers);
  });
  add("tile/:level/*", { what: "A tile of hashes", ...lasting }, async ({ deps, params }) => {
    const level = readTileLevel(params.level ?? "");
    if (level === null) throw notFound("tile of the log");
    return { body: await readTile(deps, await findLog({ deps, params }), { level, ...findTile(params) }) };
  });
}

async function findLog({ deps, params }: { deps: Deps; params: Record<string, string> }) {
  const { log } = params;
  if (log !== undefined && !/^(?:[2-9]|[1-9]\d{1,3})$/.test(log)) throw notFound("transparency log");
  return await getLog(deps, log === undefined ? 1 : Number(log));
}

function findTile(params: Record<string, string>) {
  const tile = readTileIndex(params["*"] ?? "");
  if (tile === null) throw notFound("tile of the log");
  return tile;
}
