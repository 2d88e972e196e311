import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { CONSOLE_SCRIPT } from "../../../api/pages/console/frame.ts";
import { CONSOLE_STYLESHEET, FRAME_STYLESHEET, STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { some } from "../../support/depth.ts";
import { renderConsoleSamples } from "./console-samples.ts";
import { type Dom, readAttribute, readPage, readText } from "./dom.ts";
import { renderEveryPage } from "./every-page.ts";

const CONSOLE = renderConsoleSamples((view) => view);
const CONSOLE_PAGES = Object.keys(CONSOLE);
const PAGES = [...Object.entries(renderEveryPage()), ...Object.entries(CONSOLE)];
const DESK_PAGES = ["signIn", "signInSent", "signInConfirm", "invited", "claim", "report", "reportSent"];
const OWNER_PAGES = [...DESK_PAGES, ...CONSOLE_PAGES];
// What a search finds is indexed at its own address.
const UNLISTED_PAGES = [
  ...OWNER_PAGES,
  "error",
  "framedError",
  "search",
  "works",
  "table",
  "tableColumns",
  "tableRow",
];
/** These stand in frames on other sites: nothing is before their text, and their links leave the frame. */
const FRAMED_PAGES = ["chart", "framedError"];

describe.each(PAGES)("page %s", (name, page) => {
  const dom = readPage(page);
  test("has no HTML error", () => expect(dom.faults).toEqual([]));
  test("is a small page", () => expect(Buffer.byteLength(page)).toBeLessThan(30_000));
  test("holds nothing that the content security policy stops", () => {
    const ownScript = [...CONSOLE_PAGES, "signIn"].includes(name) ? CONSOLE_SCRIPT.path : null;
    expect(listForbidden(dom, ownScript)).toEqual(FRAMED_PAGES.includes(name) ? ["base"] : []);
  });
  test("has a language, a title, a description, one h1, one main, and a way past the head", () => {
    expect(readAttribute(dom.all("html")[0] ?? fail(), "lang")).toBe("en");
    expect(readText(dom.all("title")[0] ?? fail())).toMatch(/Broadsheet$/);
    expect(readAttribute(dom.all("meta", "name", "description")[0] ?? fail(), "content")).toBeTruthy();
    expect(dom.all("h1")).toHaveLength(1);
    expect(dom.all("main", "id", "main")).toHaveLength(1);
    expect(dom.all("a", "href", "#main")).toHaveLength(FRAMED_PAGES.includes(name) ? 0 : 1);
  });
  test("uses each id once, and every reference to an id is met", () => {
    const ids = dom.elements.flatMap((element) => readAttribute(element, "id") ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const attribute of ["aria-labelledby", "aria-describedby", "for"]) {
      const wanted = dom.elements.flatMap((element) => readAttribute(element, attribute)?.split(" ") ?? []);
      expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
    }
  });
  test("asks for no class that its stylesheets do not know, and its forms have their rules", () => {
    const isConsole = dom.all("link", "href", CONSOLE_STYLESHEET.path).length > 0;
    const isFramed = dom.all("link", "href", FRAME_STYLESHEET.path).length > 0;
    const css = isFramed ? FRAME_STYLESHEET.css : STYLESHEET.css + (isConsole ? CONSOLE_STYLESHEET.css : "");
    const classes = dom.elements.flatMap((element) => (readAttribute(element, "class") ?? "").split(/\s+/));
    const unknown = classes.filter(
      (word) => word && !/^(prose|language-.*|footnote-(ref|back))$/.test(word) && !css.includes(`.${word}`),
    );
    expect(unknown).toEqual([]);
    const fields = ["form", "label", "button", "select", "input"].filter((tag) => dom.all(tag).length > 0);
    expect(fields.filter((tag) => !new RegExp(`(^|[}\\n])${tag}[{:]`, "m").test(css))).toEqual([]);
  });
  test("has headings that skip no level and columns that say what they head", () => {
    const levels = dom.elements.flatMap(({ tagName }) =>
      /^h[1-6]$/.test(tagName) ? Number(tagName[1]) : [],
    );
    expect(levels[0]).toBe(1);
    levels.forEach((level, at) => {
      expect(level - (levels[at - 1] ?? level)).toBeLessThanOrEqual(1);
    });
    for (const head of dom.all("th")) expect(["col", "row"]).toContain(readAttribute(head, "scope"));
  });
  test("names every form field; every form posts a CSRF token, but the search, which changes nothing", () => {
    const search = dom.all("form", "role", "search");
    for (const form of search) expect(readAttribute(form, "method")).toBe("get");
    const posting = dom.all("form").filter((form) => !search.includes(form));
    for (const form of posting) expect(readAttribute(form, "method")).toBe("post");
    expect(dom.all("input", "name", "csrf")).toHaveLength(posting.length);
    for (const select of dom.all("select")) {
      const labels = dom.all("label", "for", readAttribute(select, "id") ?? "").length;
      expect(labels === 1 || readAttribute(select, "aria-label") !== null).toBe(true);
    }
    for (const input of dom.all("input")) {
      if (readAttribute(input, "type") === "hidden" || readAttribute(input, "aria-label")) continue;
      expect(dom.all("label", "for", readAttribute(input, "id") ?? "")).toHaveLength(1);
    }
  });
  test(`${UNLISTED_PAGES.includes(name) ? "is" : "is not"} kept from search engines`, () => {
    const hidden = dom.all("meta", "name", "robots").length === 1;
    expect(hidden).toBe(UNLISTED_PAGES.includes(name));
  });
});

function fail(): never {
  throw new Error("The element is missing.");
}

/** `ownScript` is the one script file that a page may load. */
function listForbidden(dom: Dom, ownScript: string | null): string[] {
  return dom.elements.flatMap((element) => {
    const bad = element.attrs.filter(
      ({ name, value }) => /^on|^style$/.test(name) || /^\s*javascript:/i.test(value),
    );
    const tags = ["style", "iframe", "object", "embed", "base", "form[action^=http]"];
    const found = bad.map(({ name }) => `${element.tagName} ${name}`);
    if (tags.includes(element.tagName)) found.push(element.tagName);
    // The only pictures are our own drawings, at this site.
    const isOurs = /^\/art\/[0-9a-f]{64}\.svg$/.test(readAttribute(element, "src") ?? "");
    if (element.tagName === "img" && !isOurs) found.push("img");
    const isOurScript = ownScript !== null && readAttribute(element, "src") === ownScript;
    if (
      element.tagName === "script" &&
      readAttribute(element, "type") !== "application/ld+json" &&
      !isOurScript
    )
      found.push("script");
    return found;
  });
}

/** Puts a text after every text of a view that an agent or owner could have written. */
function taint(attack: string): <V>(view: V) => V {
  const fixed =
    /url$|Url$|_at$|At$|^url$|^type$|_since$|^format$|Html$|_html$|^accent$|^relation$|status|action|visibility|_by$|^id$|^site$|^at$|_for$|^histogram$/;
  const walk = (value: unknown, key: string): unknown => {
    if (fixed.test(key)) return value;
    if (typeof value === "string") return `${value}${attack}`;
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return <V>(view: V) => walk(view, "") as V;
}

function readAttacks(): string[] {
  const own = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `' onfocus='alert(1)' autofocus='`,
    `</script><script>alert(1)</script>`,
    `--><svg onload=alert(1)>`,
    `</title></textarea></style><iframe srcdoc="<script>alert(1)</script>">`,
    "&lt;script&gt;&amp;",
    "\u202Egpj.exe",
  ];
  const corpus = "../shared/corpora/xss.json";
  if (!existsSync(corpus)) {
    console.warn(
      "SKIPPED: the corpus of script injections is not here; only the project's own strings are tried.",
    );
    return own;
  }
  return [...own, ...some(listStrings(JSON.parse(readFileSync(corpus, "utf8"))).slice(0, 300), 20)];
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return value.includes("<") || value.includes('"') ? [value] : [];
  return value && typeof value === "object" ? Object.values(value).flatMap(listStrings) : [];
}

/** A function that works out each answer once. */
function memoize<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? work(key);
    known.set(key, value);
    return value;
  };
}

test("whatever agents and owners write, pages keep their elements and attributes", {
  timeout: 240_000,
}, () => {
  const shape = (page: string) => {
    const dom = readPage(page);
    return dom.elements.map((element) =>
      [element.tagName, ...element.attrs.map(({ name }) => name)].join(" "),
    );
  };
  // The console's pages are many and share their few ways of writing a text: a part of the attacks tries those.
  const renderAll = (attack: string, withConsole: boolean) => ({
    ...renderEveryPage(taint(attack)),
    ...(withConsole ? renderConsoleSamples(taint(attack)) : {}),
  });
  const plainOf = memoize((length: number) =>
    Object.fromEntries(
      Object.entries(renderAll("x".repeat(length), true)).map(([name, page]) => [name, shape(page)]),
    ),
  );
  for (const [index, attack] of readAttacks().entries()) {
    for (const [name, page] of Object.entries(renderAll(attack, index < 12))) {
      const found = shape(page);
      // A page may choose its elements by the length of a text: then a plain one of that length stands beside the attack.
      const length = isDeepStrictEqual(found, plainOf(1)[name]) ? 1 : attack.length;
      expect(found, `${name}: ${attack}`).toEqual(plainOf(length)[name]);
    }
  }
});

test("the page's data for machines parses, also with an attack in it", () => {
  const attack = "</script><script>alert(1)</script>\u2028";
  const dom = readPage(renderEveryPage(taint(attack)).story ?? "");
  const [data, ...others] = dom.all("script");
  expect(others).toEqual([]);
  expect(JSON.parse(readText(data ?? fail())).headline).toContain(attack);
});
