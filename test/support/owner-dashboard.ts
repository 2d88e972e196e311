import { randomUUID } from "node:crypto";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner, makeSignInLink } from "../../shared/identity/sign-in/sign-in-links.ts";
import { type Reply, request } from "./agent.ts";
import type { TestService } from "./service.ts";

/** An owner's browser without scripts: a cookie, pages, and forms that carry the token of the page. */
export interface OwnerDashboard {
  ownerId: string;
  email: string;
  cookie: string;
  get(url: string): Promise<Reply>;
  /** Sends a form with the session's own token; `headers` replace what a browser would send. */
  post(url: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
}

/** A new owner, signed in by a link. */
export async function openDashboard(
  service: TestService,
  alias: string | null = null,
): Promise<OwnerDashboard> {
  const email = `nora-${randomUUID()}@example.org`;
  const { owner_id: ownerId } = await createOwner(service.deps, COMMAND_LINE, { email, alias });
  return await signInAgain(service, { ownerId, email });
}

/** Another browser of the same owner. */
export async function signInAgain(
  service: TestService,
  { ownerId, email }: Pick<OwnerDashboard, "ownerId" | "email">,
): Promise<OwnerDashboard> {
  const path = new URL((await makeSignInLink(service.deps, COMMAND_LINE, email)).url).pathname;
  const csrf = csrfIn(await request(service, { method: "GET", url: path }));
  const signedIn = await sendForm(service, path, { csrf }, {});
  const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
  const get = (url: string) => request(service, { method: "GET", url, headers: { cookie } });
  return {
    ownerId,
    email,
    cookie,
    get,
    async post(url, fields = {}, headers = {}) {
      const own = csrfIn(await get("/console"));
      return await sendForm(service, url, { csrf: own, ...fields }, { cookie, ...headers });
    },
  };
}

/** The token of the first form of a page. */
export function csrfIn(page: Reply): string {
  return /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
}

/** Sends a form as a browser without scripts does. */
export function sendForm(
  service: TestService,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
): Promise<Reply> {
  return request(service, {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}
