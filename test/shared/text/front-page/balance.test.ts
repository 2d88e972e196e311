import { describe, expect, test } from "vitest";
import {
  type CardMeasure,
  chooseDataSetting,
  chooseSetting,
} from "../../../../shared/text/front-page/balance.ts";

const TITLE = "What three years of readings from forty-two gauges say about the storms that never came";
const SUMMARY =
  "Each gauge was read every hour. Of the 42 only 17 rose above the mark at which the harbour closes its gates, and of those a third did so on one night in November.";
const card = (more: Partial<CardMeasure> = {}): CardMeasure => ({
  title: "The surge that came early",
  summary: null,
  by: "Updated 20 November 2026",
  hasCover: false,
  ...more,
});
const briefs = (count: number) =>
  Array.from({ length: count }, () =>
    card({ title: "Three gauges silent since 21:00 UTC, their readings are left blank until…" }),
  );
const choose = (lead: Partial<CardMeasure>, followers: number, count: number) =>
  chooseSetting({
    lead: card(lead),
    followers: Array.from({ length: followers }, () => card({ summary: SUMMARY })),
    briefs: briefs(count),
  });

describe("the setting of a front page's top", () => {
  test("a long lead with followers stands beside five briefs in one column", () => {
    expect(choose({ title: TITLE, summary: SUMMARY }, 2, 5)).toBe("tall");
  });
  test("a short lead gives half the sheet to five briefs, one follower under it", () => {
    expect(choose({}, 0, 5)).toBe("even");
    expect(choose({}, 1, 5)).toBe("pair");
  });
  test("a few briefs stand beside the lead alone, under its cover where it has one", () => {
    expect(choose({ summary: SUMMARY }, 2, 1)).toBe("flat");
    expect(choose({ summary: SUMMARY, hasCover: true }, 2, 2)).toBe("band");
  });
});

describe("data that leads", () => {
  const data = Array.from({ length: 12 }, () => card({ summary: SUMMARY }));
  test("fills the column beside the briefs and goes on below", () => {
    expect(chooseDataSetting(data, briefs(1))).toEqual({ setting: "tall", beside: 1 });
    const { setting, beside } = chooseDataSetting(data, briefs(5));
    expect(setting).toBe("tall");
    expect(beside).toBeGreaterThan(2);
    expect(beside).toBeLessThan(12);
  });
  test("stands beside them whole where it is short", () => {
    expect(chooseDataSetting(data.slice(0, 3), briefs(5))).toEqual({ setting: "tall", beside: 3 });
  });
  test("gives half the sheet to the briefs where it would leave most of its own empty", () => {
    expect(chooseDataSetting([card()], briefs(5))).toEqual({ setting: "even", beside: 1 });
  });
});
