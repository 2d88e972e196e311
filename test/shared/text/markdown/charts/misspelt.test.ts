import { expect, test } from "vitest";
import { COLOR, refuse, write, X, Y } from "./chart-texts.ts";

const BAND = { x: X, y: Y, y2: { field: "b" }, line: { field: "b" } };
const written = (path: string, value: unknown) => {
  const block = JSON.parse(write({ encoding: { x: X, y: Y } }));
  const names = path.split(".");
  const last = names.pop() ?? "";
  let owner = block;
  for (const name of names) owner = owner[name] ??= {};
  owner[last] = value;
  return JSON.stringify(block);
};

test.each([
  ["anotations", [], "anotations", "annotations"],
  ["data.form", {}, "data.form", "from"],
  ["encoding.colour", COLOR, "encoding.colour", "color"],
  ["encoding.facets", COLOR, "encoding.facets", "facet"],
  ["encoding.x.titel", "T", "encoding.x.titel", "title"],
  ["encoding.y.scale.Typ", "log", "encoding.y.scale.Typ", "type"],
  ["encoding.y.axis.fromat", "d", "encoding.y.axis.fromat", "format"],
  ["encoding.y.scale.type", "Log", "encoding.y.scale.type", "log"],
  ["encoding.x.sort", "acending", "encoding.x.sort", '"ascending"'],
  ["encoding.x.sort", "-Y", "encoding.x.sort", '"-y"'],
  ["encoding.x.sort", ["a"], "encoding.x.sort[0]", '"A"'],
  ["encoding.x.field", "A", "encoding.x.field", "a"],
  ["mark", "bars", "mark", "bar"],
  ["annotations", [{ rul: { y: 1 }, label: "L" }], "annotations[0].rul", "rule"],
  ["annotations", [{ rule: { Y: 1 }, label: "L" }], "annotations[0].rule.Y", "y"],
  ["annotations", [{ rule: { x: "b" }, label: "L" }], "annotations[0].rule.x", '"B"'],
])("%s: %j is refused on %s with %s, which was meant", (path, value, refusedOn, meant) => {
  const [message] = refuse(written(path, value));
  expect(message?.startsWith(`${refusedOn} `)).toBe(true);
  expect(message).toContain(`(did you mean ${meant}?)`);
});

test.each([
  ["encoding.x.field", "z"],
  ["encoding.x.sort", ["C"]],
  ["annotations", [{ rule: { x: "C" }, label: "L" }]],
  ["encoding.tooltip", X],
  ["encoding.x.Field", "b"],
])("%s: %j is near to nothing", (path, value) => {
  expect(refuse(written(path, value)).join()).not.toContain("did you mean");
});

test.each([
  ["encoding.row", COLOR, 'is not accepted (write encoding.facet: {"field": …, "type": "nominal"}); allowed'],
  [
    "encoding.xOffset",
    X,
    'is not accepted (bars of one name stack; for bars side by side write encoding.facet: {"field": …, "type": "nominal"}); allowed',
  ],
  ["encoding.x2", X, "is not accepted (bars begin at 0, and bands run from y2 to y); allowed"],
  [
    "encoding.x.axis",
    { title: "Place" },
    "is for a quantitative field, got nominal; write title beside field.",
  ],
])("%s: %j is refused with what does the same", (path, value, reason) => {
  expect(refuse(written(path, value)).join()).toContain(`${path} ${reason}`);
});

test.each(["y2.scale", "y2.axis", "line.scale", "line.axis"])("encoding.%s is that of y", (path) => {
  const [channel = "", name = ""] = path.split(".");
  const own = BAND[channel as "y2" | "line"];
  const block = write({ mark: "area", encoding: { ...BAND, [channel]: { ...own, [name]: {} } } });
  expect(refuse(block).join()).toContain(
    `encoding.${path} is not accepted (that of encoding.y holds for it); allowed here: field, type, title.`,
  );
});
