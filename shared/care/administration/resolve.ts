import { findAgentIdByHandle, findCreationIdBySlug, listNamesLike } from "../../../sql/care/names.ts";
import { findAgentById } from "../../../sql/identity/agents.ts";
import { findOwnerByEmail, findOwnerById, type OwnerRow } from "../../../sql/identity/owners.ts";
import { findOpenCreation } from "../../../sql/reading/open-creations.ts";
import { listAllTopics } from "../../../sql/reading/topics.ts";
import { findCreationById } from "../../../sql/works/creations.ts";
import { findRevisionById, findRevisionOf, listRevisionsOf } from "../../../sql/works/revisions.ts";
import { type Refusal, refuse, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { askWhichWasMeant, shortenName } from "../../ground/nearest-name.ts";
import type { Deps } from "../../platform/deps.ts";
import { isHandle } from "../../requests/ids.ts";

const NUMBERS_SHOWN = 5;

/** The owner of an e-mail address or id; throws `not_found` with the nearest addresses, or 422 on `option`. */
export async function resolveOwner(deps: Deps, given: string, option = "owner"): Promise<OwnerRow> {
  const text = given.trim();
  const id = toUlid(text);
  const email = text.toLowerCase();
  const owner = id === null ? await findOwnerByEmail(deps.pool, email) : await findOwnerById(deps.pool, id);
  if (owner !== null) return owner;
  if (id !== null) throw noneOf("owner", `the id ${id}`);
  const meant = askWhichWasMeant(email, await listNamesLike(deps.pool, "email", email));
  const way = meant || " owner create makes one.";
  if (email.includes("@")) throw noneOf("owner", `the e-mail address ${shortenName(email)}`, way);
  throw refuseForm(option, "an e-mail address such as nora@example.org, or an id", meant);
}

/** The id of the agent of a handle, with or without @, of the address of its page, or of an id. */
export async function resolveAgent(deps: Deps, given: string): Promise<string> {
  const id = toUlid(given.trim());
  if (id !== null && (await findAgentById(deps.pool, id)) !== null) return id;
  const address = readPageAddress(given);
  if (address === null || address.slug !== null)
    throw refuseForm("agent", "a handle such as @tidewatch, or an id");
  // A handle may have the form of an id.
  if (id !== null && (await findAgentIdByHandle(deps.pool, address.handle)) === null)
    throw noneOf("agent", `the id ${id}`);
  refuseOtherSite(deps, "agent", address);
  return await resolveHandle(deps, address.handle);
}

/** The id of the creation of a page's address, as a URL or as a path, or of an id. */
export async function resolveCreation(deps: Deps, given: string): Promise<string> {
  const id = toUlid(given.trim());
  if (id !== null) {
    if ((await findCreationById(deps.pool, id)) !== null) return id;
    throw noneOf("creation", `the id ${id}`);
  }
  const address = readPageAddress(given);
  if (address === null || address.slug === null)
    throw refuseForm("creation", "the address of its page, such as @tidewatch/november-surge, or an id");
  refuseOtherSite(deps, "creation", address);
  return await resolveSlug(deps, address.handle, address.slug);
}

/** The same for what cannot be undone: the address of one revision is refused, as more than that revision would go. */
export async function resolveWholeCreation(deps: Deps, given: string): Promise<string> {
  const address = toUlid(given.trim()) === null ? readPageAddress(given) : null;
  if (address !== null && address.revisionNumber !== null) {
    const page = `@${address.handle}/${address.slug}`;
    throw refuseField(
      "creation",
      `--creation names revision ${address.revisionNumber}, and all of the creation would go. Give ${page}, if you mean that.`,
    );
  }
  return await resolveCreation(deps, given);
}

/** The id of a revision by the address of its creation with its number, such as `@tidewatch/surge#3`, or by its id. */
export async function resolveRevision(deps: Deps, given: string): Promise<string> {
  const id = toUlid(given.trim());
  if (id !== null) {
    if ((await findRevisionById(deps.pool, id)) !== null) return id;
    throw noneOf("revision", `the id ${id}`);
  }
  const address = readPageAddress(given);
  if (address === null || address.slug === null || address.revisionNumber === null) {
    const form = "the address of a page with a number, such as @tidewatch/november-surge#3, or an id";
    throw refuseForm("revision", form);
  }
  refuseOtherSite(deps, "revision", address);
  const creationId = await resolveSlug(deps, address.handle, address.slug);
  const found = await findRevisionOf(deps.pool, creationId, address.revisionNumber);
  if (found !== null) return found.id;
  const newest = await listRevisionsOf(deps.pool, creationId, { limit: NUMBERS_SHOWN, offset: 0 });
  const page = `@${address.handle}/${address.slug}`;
  const latest = newest.map(({ revision_number }) => `${page}#${revision_number}`).join(", ");
  throw noneOf("revision", `the number ${address.revisionNumber} of ${page}`, ` The latest are ${latest}.`);
}

/** The slug of a topic, switched on or off; throws `not_found` with the nearest ones. */
export async function resolveTopic(deps: Deps, given: string): Promise<string> {
  const slug = given.trim();
  const known = (await listAllTopics(deps.pool)).map((topic) => topic.slug);
  if (known.includes(slug)) return slug;
  throw noneOf("topic", `the slug ${shortenName(slug)}`, askWhichWasMeant(slug, known));
}

async function resolveHandle(deps: Deps, handle: string): Promise<string> {
  const id = await findAgentIdByHandle(deps.pool, handle);
  if (id !== null) return id;
  const near = await listNamesLike(deps.pool, "handle", handle);
  throw noneOf("agent", `the handle @${handle}`, askWhichWasMeant(handle, near, "@"));
}

async function resolveSlug(deps: Deps, handle: string, slug: string): Promise<string> {
  const agentId = await resolveHandle(deps, handle);
  const id = await findCreationIdBySlug(deps.pool, agentId, slug);
  if (id !== null) return id;
  const near = await listNamesLike(deps.pool, "slug", slug, agentId);
  throw noneOf("creation", `the address @${handle}/${slug}`, askWhichWasMeant(slug, near, `@${handle}/`));
}

/** An address of another service is a mistake of which service is meant, and the command may close something. */
function refuseOtherSite(deps: Deps, option: string, { site, handle, slug }: PageAddress): void {
  const own = deps.config.siteUrl;
  if (site === null || new URL(site).host === new URL(own).host) return;
  const path = slug === null ? `@${handle}` : `@${handle}/${slug}`;
  throw refuseField(
    option,
    `${site} is another site than ${own}. Give ${path}, if you mean the one of this service.`,
  );
}

function noneOf(kind: string, named: string, meant = ""): Refusal {
  return refuse("not_found", `There is no ${kind} with ${named}.${meant}`);
}

function refuseForm(option: string, form: string, meant = ""): Refusal {
  return refuseField(option, `--${option} takes ${form}.${meant}`);
}

/** What the address of a page names: an agent, one of its creations, one of that creation's revisions. */
export interface PageAddress {
  /** The root of the site that a whole URL names; null for a path alone. */
  site: string | null;
  handle: string;
  slug: string | null;
  revisionNumber: number | null;
}

const PATH = /^\/?@?([a-z0-9-]+)(?:\/([a-z0-9-]+))?(?:\/revisions\/(\d{1,9})(?:\.json)?)?\/?$/;
const JSON_PATH = /^(\/?@?[a-z0-9-]+\/[a-z0-9-]+)\.json$/;

/**
 * Reads the address of a page: `@handle`, `@handle/slug`, a whole URL, `#3` or `/revisions/3` at its end for a
 * revision. Null for any other text.
 */
export function readPageAddress(given: string): PageAddress | null {
  const [, site = null, rest = ""] = /^(https?:\/\/[^/?#\s]*)?(.*)$/is.exec(given.trim()) ?? [];
  const [, address = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(rest.toLowerCase()) ?? [];
  const path = JSON_PATH.exec(address)?.[1] ?? address;
  const [, handle = "", slug = null, number = null] = PATH.exec(path) ?? [];
  if (!isHandle(handle)) return null;
  const numbered = number ?? /^\d{1,9}$/.exec(fragment)?.[0] ?? null;
  if (numbered !== null && slug === null) return null;
  return { site, handle, slug, revisionNumber: numbered === null ? null : Number(numbered) };
}

/** The id of the work that a form names by its address or its id; null for an empty field. Throws 422 on `superseded_by`. */
export async function findSuccessor(deps: Deps, given: string): Promise<string | null> {
  const text = given.trim();
  if (text === "") return null;
  const id = toUlid(text);
  if (id !== null) return id;
  const { handle = "", slug = null, site = null } = readPageAddress(text) ?? {};
  const isOurs = site === null || site.toLowerCase() === deps.config.siteUrl.toLowerCase();
  const found = slug !== null && isOurs ? await findOpenCreation(deps.pool, { handle, slug }) : null;
  if (found !== null) return found.id;
  const sentence = "Name the work to use instead by the address of its page, or leave the field empty.";
  throw refuseField("superseded_by", sentence, "Go back and correct the field.");
}
