import { COUNTRIES, ENERGY, type GalleryChart, noise, times, writeBlock, writeDay } from "./chart-recipes.ts";

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

/** Scales, formats and units. */
const SCALES: GalleryChart[] = [
  writeBlock("line, log scale of growth", {
    mark: "line",
    title: "Two outbreaks, one doubling time",
    data: {
      values: times(60, (index) => ({
        day: writeDay(Math.floor(index / 2), "2026-03-01"),
        place: index % 2 === 0 ? "North" : "South",
        cases: Math.round(
          (index % 2 === 0 ? 12 : 3) * 1.27 ** Math.floor(index / 2) * (1 + noise(35, index) / 4),
        ),
      })),
    },
    encoding: {
      x: { field: "day", ...TIME, title: "Day" },
      y: { field: "cases", ...QUANTITY, title: "Cases", scale: { type: "log" } },
      color: { field: "place", type: "nominal", title: "Place" },
    },
  }),
  writeBlock("point, two log scales", {
    mark: "point",
    title: "Richer countries live longer",
    data: {
      values: times(60, (index) => ({
        gdp: Math.round(600 * 10 ** (noise(36, index) * 2.2)),
        people: Math.round(1e5 * 10 ** (noise(37, index) * 4)),
      })),
    },
    encoding: {
      x: { field: "gdp", ...QUANTITY, title: "GDP per head", scale: { type: "log" }, axis: { unit: "USD" } },
      y: {
        field: "people",
        ...QUANTITY,
        title: "Inhabitants",
        scale: { type: "log" },
        axis: { format: "~s" },
      },
    },
  }),
  writeBlock("line, log scale within one power of ten", {
    mark: "line",
    data: { values: times(12, (index) => ({ n: index + 1, v: Math.round(23 + noise(38, index) * 55) })) },
    encoding: {
      x: { field: "n", type: "ordinal", title: "Run" },
      y: { field: "v", ...QUANTITY, title: "Reading", scale: { type: "log" } },
    },
  }),
  writeBlock("line, domain and unit", {
    mark: "line",
    title: "Turnout",
    data: {
      values: times(9, (index) => ({ year: 1990 + index * 4, share: 0.61 + noise(39, index) / 5 })),
    },
    encoding: {
      x: { field: "year", ...TIME, title: "Election" },
      y: {
        ...{ field: "share", ...QUANTITY, title: "Turnout" },
        ...{ scale: { domain: [0.5, 0.9] }, axis: { format: ".0%", unit: "of those entitled" } },
      },
    },
  }),
  writeBlock("horizontal bars, format, unit and domain", {
    mark: "bar",
    title: "Budget",
    data: {
      values: ["Schools", "Roads", "Parks and playgrounds", "Debt"].map((item, index) => ({
        item,
        euros: Math.round(noise(40, index) * 9e6),
      })),
    },
    encoding: {
      x: {
        ...{ field: "euros", ...QUANTITY, title: "Spent in 2025" },
        ...{ scale: { domain: [0, 1e7] }, axis: { format: ".2s", unit: "EUR" } },
      },
      y: { field: "item", type: "nominal", title: "Item" },
    },
  }),
  writeBlock("point, zero left out", {
    mark: "point",
    data: { values: times(30, (index) => ({ a: 20 + noise(41, index) * 9, b: 4 + noise(42, index) * 9 })) },
    encoding: {
      x: { field: "a", ...QUANTITY, scale: { zero: true }, axis: { unit: "°C" } },
      y: { field: "b", ...QUANTITY, scale: { zero: false }, axis: { format: ".1f", unit: "m/s" } },
    },
  }),
];

/** Names in another order than that of the data. */
const ORDERS: GalleryChart[] = [
  writeBlock("horizontal bars, sorted by their values", {
    mark: "bar",
    title: "Rain falls on the west coast",
    data: {
      values: COUNTRIES.map((country, index) => ({ country, mm: Math.round(400 + noise(1, index) * 1800) })),
    },
    encoding: {
      x: { field: "mm", ...QUANTITY, title: "Precipitation", axis: { unit: "mm a year" } },
      y: { field: "country", type: "nominal", title: "Country", sort: "-x" },
    },
  }),
  writeBlock("bar, stacks sorted by their sum", {
    mark: "bar",
    data: {
      values: times(20, (index) => ({
        port: ["Emden", "Husum", "Kiel", "Bremen", "Lübeck"][index % 5] ?? "",
        kind: ENERGY[index % 4] ?? "",
        ships: Math.round(noise(43, index) * 90),
      })),
    },
    encoding: {
      x: { field: "port", type: "nominal", title: "Port", sort: "-y" },
      y: { field: "ships", ...QUANTITY, title: "Ships" },
      color: { field: "kind", type: "nominal", title: "Cargo" },
    },
  }),
];

/** Charts of the members that a block may have beyond its fields. */
export const MEMBER_CHARTS: GalleryChart[] = [...TIMES, ...SCALES, ...ORDERS];
