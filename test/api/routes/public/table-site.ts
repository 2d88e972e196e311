import { expect } from "vitest";
import { type Json, request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { type Dom, leadsTo, readPage, readText } from "../../pages/dom.ts";

const CITIES = ["Bremen", "Husum", "Büsum", ""];
export const HOSTILE = [
  "__proto__",
  "constructor",
  'a"b',
  "it's",
  "x[0]",
  "two\nlines",
  "<i>",
  "&amp;",
  " edge ",
];
export const NAMES = Array.from({ length: 10_000 }, (_, at) => `column_${at}`);
export const LONG = `<&"'>${"\u00e4".repeat(3_000)}`;
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const FILES: Record<string, string> = {
  "prices.csv": `city,price,open,note\n${Array.from(
    { length: 720 },
    (_, n) =>
      `${CITIES[n % 4]},${n === 7 ? "NA" : `${n}.50`},${n % 3 === 0},${n === 3 ? LONG.replaceAll('"', "") : n}`,
  ).join("\n")}\n`,
  "two.json": '{"one":[{"a":1.10},{"a":{"b":2.50}}],"t & <two>":[{"b":9007199254740993}],"note":"x"}',
  "hostile.csv": `${HOSTILE.map(quote).join(",")}\n${HOSTILE.map(quote).join(",")}\n${HOSTILE.map(() => "1").join(",")}\n`,
  "wide.csv": `${NAMES.join(",")}\n${NAMES.map((_, n) => `x${n}`).join(",")}\n`,
  "heavy.csv": `${Array.from({ length: 60 }, (_, at) => `c${at}`).join(",")}\n${Array.from(
    { length: 60 },
    () =>
      Array(60)
        .fill(quote('"'.repeat(200)))
        .join(","),
  ).join("\n")}\n`,
};

/** A service with these files, each the only one of a published dataset. */
export async function openTableSite(names: readonly string[]) {
  const service = await openService({ limits: { queriesPerMinute: 900 } });
  const files = Object.fromEntries(names.map((name) => [name, FILES[name] ?? ""]));
  const { agent, creations } = await publishFiles(service, files);
  await untilJobsAreDone(service);
  const get = (url: string) => request(service, { method: "GET", url, headers: { accept: "text/html" } });
  const pageOf = (name: string, query = "", file: number | string = 1) =>
    get(`${pathOf(creations[name])}/files/${file}${query === "" ? "" : `?${query}`}`);
  /** The page as its reader sees it; every page is well-formed and light. */
  const open = async (name: string, query = "", status = 200): Promise<Dom> => {
    const answer = await pageOf(name, query);
    expect([query, answer.status, String(answer.headers["content-type"])]).toEqual([
      query,
      status,
      "text/html; charset=utf-8",
    ]);
    const dom = readPage(answer.text);
    expect([query, dom.faults]).toEqual([query, []]);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(60 * 1_024);
    return dom;
  };
  return { service, agent, creations, get, pageOf, open };
}

export const pathOf = (creation: Json) => new URL(creation.public_url).pathname;
export const cellsOf = (dom: Dom) =>
  dom.all("tr").flatMap((row) => {
    const cells = row.childNodes.flatMap((cell) =>
      "tagName" in cell && cell.tagName === "td" ? [readText(cell)] : [],
    );
    return cells.length === 0 ? [] : [cells];
  });
export const linksOf = (dom: Dom) =>
  dom.all("a").map((link) => [readText(link), leadsTo(link, "http://localhost:3000")] as const);
export const linkOf = (dom: Dom, words: string) =>
  linksOf(dom).find(([text]) => text.includes(words))?.[1] ?? `no ${words}`;
export const headingOf = (dom: Dom) => readText(dom.all("h2")[0] as never).trim();
export const follow = (link: string) => link.slice(link.indexOf("?") + 1);
export const chipsOf = (dom: Dom) =>
  linksOf(dom)
    .filter(([words]) => words.startsWith("Take away: "))
    .map(([words]) => words.slice(11, -2));

/** The links inside an element. */
export function findLinks(node: Parameters<typeof readText>[0]): Parameters<typeof readText>[0][] {
  const children = "childNodes" in node ? (node.childNodes as (typeof node)[]) : [];
  return children.flatMap((child) =>
    "tagName" in child && child.tagName === "a" ? [child] : findLinks(child),
  );
}
