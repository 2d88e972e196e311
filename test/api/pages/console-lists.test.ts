import { describe, expect, test } from "vitest";
import { renderConsoleSamples } from "./console-samples.ts";
import { type Element, readAttribute, readPage, readText } from "./dom.ts";

/** The same view with nothing in any of its lists. */
function empty<V>(value: V): V {
  if (Array.isArray(value)) return [] as V;
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === "archive" ? null : empty(member),
  ]);
  return Object.fromEntries(members);
}

const FILLED = renderConsoleSamples((view) => view);
const EMPTY = renderConsoleSamples(empty);

const classesOf = (element: Element) => (readAttribute(element, "class") ?? "").split(" ");

function listAncestors(element: Element): Element[] {
  const parent = element.parentNode;
  return parent && "tagName" in parent ? [parent, ...listAncestors(parent)] : [];
}

const rowsOf = (page: string) =>
  readPage(page).elements.filter((element) => classesOf(element).includes("rows"));

/** The heading's id of the section in which a list stands. */
function nameSection(list: Element): string {
  const section = listAncestors(list).find(({ tagName }) => tagName === "section");
  return (section && readAttribute(section, "aria-labelledby")) ?? "a list outside of every section";
}

describe.each(Object.keys(FILLED))("the console's page %s", (name) => {
  const page = FILLED[name] ?? "";

  test("says in a sentence of each of its lists that it is empty", () => {
    const dom = readPage(EMPTY[name] ?? "");
    for (const id of new Set(rowsOf(page).map(nameSection))) {
      const [section] = dom.all("section", "aria-labelledby", id);
      expect(section, `the section ${id} is gone`).toBeDefined();
      const sentences = dom
        .all("p", "class", "small")
        .filter((one) => section && listAncestors(one).includes(section));
      expect(sentences.map(readText), id).toContainEqual(
        expect.stringMatching(/\b(no|nothing|nowhere)\b.*\.$/i),
      );
    }
    expect(rowsOf(EMPTY[name] ?? "")).toEqual([]);
  });

  test("sets the forms of every row in one layout", () => {
    const forms = readPage(page)
      .all("form")
      .map((form) => [form, ...listAncestors(form)])
      .filter((line) => line.some((element) => classesOf(element).includes("rows")));
    const others = forms.filter((line) => !line.some((element) => classesOf(element).includes("acts")));
    expect(others.map(([form]) => form && readAttribute(form, "action"))).toEqual([]);
  });
});

test("the pages of the console have lists and rows with forms", () => {
  expect(Object.values(FILLED).flatMap(rowsOf).length).toBeGreaterThan(15);
});
