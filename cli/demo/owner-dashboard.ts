import { type Answer, askFor } from "./client.ts";
import { hold } from "./steps.ts";

/** The owner's browser: one cookie, forms with their hidden fields, nothing else. */
export interface OwnerDashboard {
  /** Opens a page and sends its form; gives the page that the owner is led to. */
  open(url: string): Promise<Answer>;
  sendForm(url: string): Promise<string>;
}

/** Signs in by a link: the page shows a button, its form signs in and sets the cookie. */
export async function signIn(site: string, link: string): Promise<OwnerDashboard> {
  const page = await askFor(200, link);
  const answer = await postForm(site, link, page, {});
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .find((pair) => /^(__Host-)?bs=./.test(pair));
  hold(cookie !== undefined, "signing in set no session cookie");
  const session = { cookie };
  const open = (url: string) => askFor(200, url, { headers: session });
  return {
    open,
    sendForm: async (url) => {
      const sent = await postForm(site, url, await open(url), session);
      return new URL(sent.headers.get("location") ?? "", site).href;
    },
  };
}

async function postForm(
  site: string,
  url: string,
  page: Answer,
  headers: Record<string, string>,
): Promise<Answer> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
  hold(csrf !== undefined, `the page ${url} shows no form`);
  return await askFor(303, url, {
    method: "POST",
    headers: { ...headers, origin: new URL(site).origin },
    body: new URLSearchParams({ csrf }),
  });
}
