import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { askWhetherMeant, refuseName } from "../../../shared/ground/nearest-name.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import { CONDITION_PARTS } from "../../../shared/tables/rows/query.ts";
import type { Arguments, Rewritten } from "../tool.ts";

/** `without_text` leaves out what `fields=summary` leaves out. */
export function askForSummary({ without_text: wish = false, ...args }: Arguments): Rewritten {
  if (wish === true) return { args: { ...args, fields: "summary" }, problems: {} };
  const isReadable = wish === false || wish === null;
  return { args, problems: isReadable ? {} : { without_text: ["The without_text must be true or false."] } };
}

/** Asks for more than a caller of the tool says. */
export function askAlsoFor(more: Arguments): (args: Arguments) => Rewritten {
  return (args) => ({ args: { ...args, ...more }, problems: {} });
}

const PROFILE_MEMBERS = Object.keys(schemasFor().profile.shape);

/** Empties members of a profile: null as an argument is as left out, and in a request it takes a member away. */
export function clearMembers({ clear, ...args }: Arguments): Rewritten {
  if (!isGiven(clear)) return { args, problems: {} };
  const names = [clear].flat().map(String);
  const other = names.find((name) => !PROFILE_MEMBERS.includes(name));
  const twice = names.find((name) => isGiven(args[name]));
  const fault =
    other !== undefined
      ? refuseName(other, { kind: "member", taker: "profile" }, PROFILE_MEMBERS)
      : twice && `The ${twice} is to be emptied, and has a value, too. Give one of them.`;
  // What is refused stays, so that the request is refused in its turn.
  if (fault !== undefined) return { args: { ...args, clear }, problems: { clear: [fault] } };
  return { args: { ...args, ...Object.fromEntries(names.map((name) => [name, null])) }, problems: {} };
}

const PAGE = /^(?:.*\/docs\/)?([\w-]+)(?:\.md)?(?:#([\w-]+))?$/;

/** A page may be named as links of the documentation name it, with a section behind #. */
export function rewritePage(args: Arguments): Rewritten {
  const [, page = args.page, linked] = PAGE.exec(String(args.page ?? "")) ?? [];
  const section = isGiven(args.section) ? args.section : linked;
  return { args: { ...args, page, ...(isGiven(section) && { section }) }, problems: {} };
}

/** A handle may be written with its @. */
export function rewriteHandle(args: Arguments): Rewritten {
  const { handle } = args;
  return { args: { ...args, handle: withoutAt(handle) }, problems: {} };
}

function withoutAt(handle: unknown): unknown {
  return typeof handle === "string" ? handle.replace(/^@/, "") : handle;
}

/** A creation is named by its id, by handle and slug, or by an address of its page or JSON; and with it a revision. */
export function rewriteCreationAddress(args: Arguments, siteUrl: string): Rewritten {
  const { url, creation_id, handle, slug, revision_number } = args;
  const problems: FieldErrors = {};
  const match = isGiven(url) ? matchAddress(url, siteUrl, WORK) : null;
  const [, ofAgent, named, id = creation_id, number = revision_number] = match ?? [];
  const isOther = (given: unknown, own: unknown) => isGiven(given) && String(given) !== String(own);
  if (![creation_id, handle, slug, url].some(isGiven))
    problems.handle = ["Name the creation by handle and slug, by url or by creation_id."];
  else if (isGiven(creation_id) && [handle, slug, url].some(isGiven))
    problems.creation_id = ["Give creation_id alone, or handle and slug, or url."];
  else if (isGiven(url) && match === null)
    problems.url = [`The url must be a creation's page, ${siteUrl}/@HANDLE/SLUG.`];
  else if (match !== null && (isOther(withoutAt(handle), ofAgent) || isOther(slug, named)))
    problems.url = ["The url names another creation than handle and slug. Give one of them."];
  else if (isOther(revision_number, number))
    problems.url = ["The url names another revision than revision_number. Give one of them."];
  const revision = isGiven(number) ? { revision_number: number } : {};
  const below = isGiven(number) ? "/revisions/:revision_number" : "";
  if (isGiven(id)) {
    const path = `/id/:creation_id${below}`;
    return { args: { creation_id: id, ...revision }, problems, path, accept: "application/json" };
  }
  const address = { handle: ofAgent ?? withoutAt(handle), slug: withJsonAddress(named ?? slug) };
  return { args: { ...address, ...revision }, problems, path: `/@:handle/:slug${below}.json` };
}

const WORK = /^\/(?:@([^/]+)\/([^/]+?)|id\/([^/]+?))(?:\/revisions\/(\d+))?(?:\.json|\.md)?\/?$/;

/** The address of a creation called profile is that of the profile's own JSON: such a creation has none. */
function withJsonAddress(slug: unknown): unknown {
  return slug === "profile" ? "-" : slug;
}

/** A table is named by its file or by its rows_url; columns and conditions become the reader's parameters. */
export function rewriteRows(args: Arguments, siteUrl: string): Rewritten {
  const { rows_url, columns, filter, ...rest } = args;
  const problems: FieldErrors = {};
  const asset = readAsset(rest.asset_id, { name: "rows_url", end: "rows", url: rows_url }, siteUrl, problems);
  if (searchOf(rows_url, siteUrl).size > 0)
    problems.rows_url ??= ["Leave out what stands behind the question mark, and give it as arguments."];
  const conditions = isGiven(filter) ? [filter].flat() : [];
  const rewritten: Arguments = { ...rest, asset_id: asset };
  if (isGiven(columns)) rewritten["columns[]"] = [columns].flat();
  conditions.forEach((condition: unknown, index) => {
    if (typeof condition !== "object" || condition === null) {
      problems[`filter.${index}`] = ["A condition is an object with column, op and value."];
      return;
    }
    if (!("column" in condition)) problems[`filter.${index}`] = ["A condition names a column."];
    const unknown = Object.keys(condition).find((name) => !CONDITION_PARTS.some((part) => part === name));
    // A member that is dropped would widen what the condition lets through.
    if (unknown !== undefined) {
      const meant = askWhetherMeant(unknown, CONDITION_PARTS);
      problems[`filter.${index}`] = [`A condition has column, op and value only.${meant}`];
    }
    for (const [name, value] of Object.entries(condition)) rewritten[`filter[${index}][${name}]`] = value;
  });
  return { args: rewritten, problems };
}

/** An argument that names a file by an address: of its rows, or of questions about it. */
interface MediaAddress {
  name: string;
  end: "rows" | "query";
  url: unknown;
}

/** The file that its id or such an address names; both may be given where they name one file. */
export function readAsset(
  id: unknown,
  { name, end, url }: MediaAddress,
  siteUrl: string,
  problems: FieldErrors,
): unknown {
  if (!isGiven(url)) {
    if (!isGiven(id)) problems.asset_id = [`Name the file by asset_id or by ${name}.`];
    return isGiven(id) ? id : undefined;
  }
  const [, asset, found] = matchAddress(url, siteUrl, /^\/media\/([^/]+)\/(rows|query)\/?$/) ?? [];
  if (asset === undefined || found !== end)
    problems[name] = [`The ${name} must be of the form ${siteUrl}/media/ID/${end}.`];
  else if (isGiven(id) && String(id).toUpperCase() !== asset.toUpperCase())
    problems[name] = [`The ${name} names another file than asset_id. Give one of them.`];
  return isGiven(id) ? id : asset;
}

/** What an address asks behind its question mark. */
export function searchOf(url: unknown, siteUrl: string): URLSearchParams {
  const isAddress = typeof url === "string" && URL.canParse(url, siteUrl);
  return isAddress ? new URL(url, siteUrl).searchParams : new URLSearchParams();
}

function matchAddress(url: unknown, siteUrl: string, pattern: RegExp): (string | undefined)[] | null {
  if (typeof url !== "string" || !URL.canParse(url, siteUrl)) return null;
  const { origin, pathname } = new URL(url, siteUrl);
  const match = origin === new URL(siteUrl).origin ? pattern.exec(pathname) : null;
  try {
    return match?.map((part?: string) => part && decodeURIComponent(part)) ?? null;
  } catch {
    return null;
  }
}

/** Whether an argument says anything. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
