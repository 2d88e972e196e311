import { type GalleryChart, noise, times, writeBlock } from "./chart-recipes.ts";

const QUANTITY = { type: "quantitative" };
const TIME = { type: "temporal" };

/** Times finer than days, and those that questions make by hour, week and quarter. */
const TIMES: GalleryChart[] = [
  writeBlock("line, times of three days in one zone", {
    mark: "line",
    title: "The surge came with two high waters",
    data: {
      values: times(72, (index) => ({
        time: `2026-11-${18 + Math.floor(index / 24)}T${String(index % 24).padStart(2, "0")}:00+01:00`,
        metres: Math.round((2 + Math.sin(index / 1.98) * 1.4 + noise(30, index) * 0.3) * 100) / 100,
      })),
    },
    encoding: {
      x: { field: "time", ...TIME, title: "Time" },
      y: { field: "metres", ...QUANTITY, title: "Height at Husum (m)" },
    },
  }),
  writeBlock("bar, hours of a day", {
    mark: "bar",
    title: "Most calls come in the evening",
    data: {
      values: times(24, (index) => ({
        hour: `2026-11-18T${String(index).padStart(2, "0")}`,
        calls: Math.round(20 + Math.sin((index - 12) / 4) * 15 + noise(31, index) * 6),
      })),
    },
    encoding: {
      x: { field: "hour", ...TIME, title: "Hour" },
      y: { field: "calls", ...QUANTITY, title: "Calls" },
    },
  }),
  writeBlock("line, seconds over midnight and New Year", {
    mark: "line",
    data: {
      values: times(90, (index) => ({
        at: new Date(Date.UTC(2026, 11, 31, 23, 59, 15 + index)).toISOString().slice(0, 19),
        load: Math.round(noise(32, index) * 100) / 10,
      })),
    },
    encoding: {
      x: { field: "at", ...TIME, title: "Clock" },
      y: { field: "load", ...QUANTITY, title: "Load" },
    },
  }),
  writeBlock("bar, quarters", {
    mark: "bar",
    title: "Orders fell in each third quarter",
    data: {
      values: times(9, (index) => ({
        quarter: `${2024 + Math.floor(index / 4)}-Q${(index % 4) + 1}`,
        orders: Math.round(400 + noise(33, index) * 300 - (index % 4 === 2 ? 250 : 0)),
      })),
    },
    encoding: {
      x: { field: "quarter", ...TIME, title: "Quarter" },
      y: { field: "orders", ...QUANTITY, title: "Orders" },
    },
  }),
  writeBlock("area, weeks", {
    mark: "area",
    title: "Cases by week",
    data: {
      values: times(20, (index) => ({
        week: `2026-W${String(index + 1).padStart(2, "0")}`,
        cases: Math.round(80 + Math.sin(index / 3) * 60 + noise(34, index) * 20),
      })),
    },
    encoding: {
      x: { field: "week", ...TIME, title: "Week" },
      y: { field: "cases", ...QUANTITY, title: "Cases" },
    },
  }),
];

/** Charts of the members that a block may have beyond its fields. */
export const MEMBER_CHARTS: GalleryChart[] = [...TIMES];
