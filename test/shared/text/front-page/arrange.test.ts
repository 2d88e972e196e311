import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Arrangeable, arrangeFrontPage } from "../../../../shared/text/front-page/arrange.ts";

type Type = Arrangeable["type"];

/** A creation `age` days old; `updated` is the age of its last real update. */
function make(id: string, type: Type, age: number, updated = age): Arrangeable {
  const day = (back: number) => `2026-10-${String(30 - back).padStart(2, "0")}T12:00:00Z`;
  return { id, type, first_published_at: day(age), updated_at: day(updated) };
}
function arrange(creations: Arrangeable[], featured: string[] = []) {
  const { lead, followers, briefs, data, rest } = arrangeFrontPage(creations, featured);
  const ids = (list: Arrangeable[]) => list.map(({ id }) => id);
  return {
    lead: lead?.id ?? null,
    followers: ids(followers),
    briefs: ids(briefs),
    data: ids(data),
    rest: ids(rest),
  };
}
const stories = [
  make("s1", "story", 1),
  make("s2", "story", 2),
  make("s3", "story", 3),
  make("s4", "story", 4),
];

describe("lead and followers", () => {
  test("nothing published is an empty page", () => {
    expect(arrange([])).toEqual({ lead: null, followers: [], briefs: [], data: [], rest: [] });
  });
  test("the newest leads, the next two follow, the others are the rest", () => {
    expect(arrange(stories.toReversed())).toEqual({
      lead: "s1",
      followers: ["s2", "s3"],
      briefs: [],
      data: [],
      rest: ["s4"],
    });
  });
  test("a retracted work leads nothing, featured or not; its data stand last", () => {
    const retracted = { retracted: true };
    const [newest = make("s1", "story", 1), ...others] = stories;
    const works = [
      { ...newest, ...retracted },
      ...others,
      { ...make("d1", "dataset", 1), ...retracted },
      make("d2", "dataset", 2),
      { ...make("b1", "brief", 1), ...retracted },
    ];
    expect(arrange(works, ["s1"])).toEqual({
      lead: "s2",
      followers: ["s3", "s4"],
      briefs: [],
      data: ["d2", "d1"],
      rest: ["s1", "b1"],
    });
  });
  test("featured creations lead in the given order, then the newest", () => {
    expect(arrange(stories, ["s4", "s2"])).toMatchObject({
      lead: "s4",
      followers: ["s2", "s1"],
      rest: ["s3"],
    });
  });
  test("featured creations beyond the third stand before everything else, in the given order", () => {
    const six = [...stories, make("s5", "story", 5), make("s6", "story", 6)];
    expect(arrange(six, ["s6", "s5", "s4", "s3", "s1", "s2"])).toMatchObject({
      lead: "s6",
      followers: ["s5", "s4"],
      rest: ["s3", "s1", "s2"],
    });
    expect(arrange(six, ["s6", "s5", "s4", "s3"])).toMatchObject({ rest: ["s3", "s1", "s2"] });
  });
  test("featured ids that are not public, unknown or repeated are skipped", () => {
    expect(arrange(stories, ["gone", "s3", "s3", "s2"])).toMatchObject({
      lead: "s3",
      followers: ["s2", "s1"],
    });
  });
  test.each<Type>(["story", "file", "collection", "external_project"])("a %s may lead", (type) => {
    expect(arrange([make("x", type, 1)])).toMatchObject({ lead: "x" });
  });
  test.each<Type>(["brief", "dataset"])("a %s never leads, newest or featured", (type) => {
    const page = arrange([make("x", type, 0), make("s", "story", 9)], ["x"]);
    expect(page).toMatchObject({ lead: "s", followers: [] });
  });
});

describe("briefs", () => {
  const seven = [1, 2, 3, 4, 5, 6, 7].map((age) => make(`b${age}`, "brief", age));
  test("the five newest stand beside the lead, older ones with everything else", () => {
    expect(arrange([...seven, make("s", "story", 8)])).toEqual({
      lead: "s",
      followers: [],
      briefs: ["b1", "b2", "b3", "b4", "b5"],
      data: [],
      rest: ["b6", "b7"],
    });
  });
  test("a featured old brief is the first of everything else", () => {
    expect(arrange(seven, ["b7"])).toMatchObject({ lead: null, rest: ["b7", "b6"] });
  });
});

describe("data", () => {
  test("every dataset is under Data, most recently updated first", () => {
    const sets = [make("d1", "dataset", 1), make("d2", "dataset", 2, 0), make("d3", "dataset", 3)];
    expect(arrange([...sets, make("s", "story", 9)])).toMatchObject({ lead: "s", data: ["d2", "d1", "d3"] });
  });
  test("a featured dataset is under Data only", () => {
    const page = arrange([make("d1", "dataset", 1), make("d2", "dataset", 2), ...stories], ["d2"]);
    expect(page).toMatchObject({ lead: "s1", data: ["d1", "d2"], rest: ["s4"] });
  });
  test("with nothing that may lead, there is no lead and data comes first", () => {
    const page = arrange([make("d", "dataset", 2), make("b", "brief", 1)]);
    expect(page).toEqual({ lead: null, followers: [], briefs: ["b"], data: ["d"], rest: [] });
  });
});

describe("everything else", () => {
  test("is listed by last real update, of every type", () => {
    const list = [
      ...stories.slice(0, 3),
      make("f", "file", 20, 6),
      make("c", "collection", 5),
      make("p", "external_project", 8, 4),
    ];
    expect(arrange(list).rest).toEqual(["p", "c", "f"]);
  });
  test("equal times are told apart by first publication, then by id", () => {
    const page = arrange([make("a", "story", 5, 1), make("b", "story", 3, 1), make("c", "story", 3, 1)]);
    expect(page).toMatchObject({ lead: "c", followers: ["b", "a"] });
  });
});

const anyCreations = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    type: fc.constantFrom<Type>("story", "dataset", "collection", "external_project", "brief", "file"),
    age: fc.nat(9),
    updated: fc.nat(9),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

test("for any creations: each stands exactly once, caps hold, order of the input does not matter", () => {
  fc.assert(
    fc.property(anyCreations, fc.array(fc.string({ maxLength: 4 }), { maxLength: 6 }), (raw, extra) => {
      const list = raw.map(({ id, type, age, updated }) => make(id, type, age, Math.min(age, updated)));
      const featured = [...extra, ...list.slice(0, 3).map(({ id }) => id)];
      const page = arrange(list, featured);
      const shown = [page.lead, ...page.followers, ...page.briefs, ...page.data, ...page.rest].filter(
        (id) => id !== null,
      );
      expect(shown.toSorted()).toEqual(list.map(({ id }) => id).toSorted());
      expect(page.followers.length).toBeLessThanOrEqual(2);
      expect(page.briefs.length).toBeLessThanOrEqual(5);
      if (page.followers.length > 0) expect(page.lead).not.toBeNull();
      expect(arrange(list.toReversed(), featured)).toEqual(page);
      expect(arrange([...list, ...list], featured)).toEqual(page);
    }),
  );
});

test("the given list is left as it is", () => {
  const list = stories.toReversed();
  const before = [...list];
  arrangeFrontPage(list, []);
  expect(list).toEqual(before);
});
