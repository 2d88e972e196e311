import { parseFragment } from "parse5";

/** An answer as a person sees it. */
export interface Visit {
  status: number;
  url: string;
  text: string;
}

/** A browser without scripts over real HTTP: it keeps cookies, follows redirects and sends the forms of its pages. */
export interface PlainBrowser {
  open(path: string): Promise<Visit>;
  /** Sends the form of a page whose action ends so, with its hidden fields and values of one's own. */
  submit(page: Visit, actionEnds: string, fields?: Record<string, string>): Promise<Visit>;
}

/** Opens a browser on a site. */
export function openPlainBrowser(site: string): PlainBrowser {
  const cookies = new Map<string, string>();
  const ask = async (method: "GET" | "POST", path: string, body?: string): Promise<Visit> => {
    const url = new URL(path, site);
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const headers: Record<string, string> = { cookie, origin: site, connection: "close" };
    if (body !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
    const answer = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const text = await answer.text();
    const goTo = answer.headers.get("location");
    if (goTo !== null) return await ask("GET", new URL(goTo, url).href);
    return { status: answer.status, url: url.href, text };
  };
  return {
    open: (path) => ask("GET", path),
    submit: async (page, actionEnds, fields = {}) => {
      const form = listForms(page.text).find(({ action }) => action.endsWith(actionEnds));
      if (form === undefined) throw new Error(`${page.url} has no form to ${actionEnds}`);
      const words = new URLSearchParams({ ...form.hidden, ...fields }).toString();
      const { href } = new URL(form.action, page.url);
      return form.method === "GET" ? await ask("GET", `${href}?${words}`) : await ask("POST", href, words);
    },
  };
}

interface Form {
  method: "GET" | "POST";
  action: string;
  hidden: Record<string, string>;
}

interface Node {
  tagName?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

function listForms(text: string): Form[] {
  const forms: Form[] = [];
  const walk = (node: Node, form: Form | null): void => {
    const at = (name: string) => node.attrs?.find((attribute) => attribute.name === name)?.value ?? "";
    let inside = form;
    if (node.tagName === "form") {
      inside = { method: at("method") === "post" ? "POST" : "GET", action: at("action"), hidden: {} };
      forms.push(inside);
    }
    if (inside !== null && node.tagName === "input" && at("type") === "hidden")
      inside.hidden[at("name")] = at("value");
    for (const child of node.childNodes ?? []) walk(child, inside);
  };
  walk(parseFragment(text) as Node, null);
  return forms;
}
