import { ANNOTATED_CHARTS } from "./annotated-charts.ts";
import { BAND_CHARTS } from "./band-charts.ts";
import { BAR_CHARTS } from "./bar-charts.ts";
import {
  COUNTRIES,
  ENERGY,
  type GalleryChart,
  noise,
  times,
  writeChart,
  writeDay,
  writeMonth,
} from "./chart-recipes.ts";
import { FACET_CHARTS } from "./facet-charts.ts";
import { HORIZONTAL_CHARTS } from "./horizontal-charts.ts";
import { MEMBER_CHARTS } from "./member-charts.ts";

const LINES: GalleryChart[] = [
  writeChart("line, temporal, 500 rows, four groups", {
    mark: "line",
    title: "Four stocks over 125 days",
    description: "Closing prices; made up for this gallery.",
    x: ["date", "temporal", "Date"],
    y: ["price", "Closing price (USD)"],
    color: ["stock", "Stock"],
    rows: times(500, (index) => {
      const group = index % 4;
      const day = Math.floor(index / 4);
      const price =
        80 + group * 45 + Math.sin(day / (9 + group * 4)) * 16 + noise(group, day) * 7 + day * 0.15 * group;
      return {
        date: writeDay(day),
        price: Math.round(price * 100) / 100,
        stock: ["Alder", "Birch", "Cedar", "Doum"][group] ?? "",
      };
    }),
  }),
  writeChart("line, months with gaps", {
    mark: "line",
    title: "A gauge that failed twice",
    x: ["month", "temporal", "Month"],
    y: ["level", "Water level (cm)"],
    rows: times(30, (index) => ({
      month: writeMonth(index, 2023),
      level:
        index === 8 || index === 9 || index === 19 || index === 21
          ? null
          : Math.round(250 + Math.sin(index / 3) * 60 + noise(11, index) * 20),
    })),
  }),
  writeChart("line, eight groups", {
    mark: "line",
    title: "Eight sources of power",
    x: ["year", "temporal", "Year"],
    y: ["share", "Share (%)"],
    color: ["source", "Source"],
    rows: times(88, (index) => ({
      year: String(2015 + Math.floor(index / 8)),
      source: ENERGY[index % 8] ?? "",
      share: Math.round((4 + (index % 8) * 4 + noise(index % 8, Math.floor(index / 8)) * 3) * 10) / 10,
    })),
  }),
  writeChart("line, quantitative x", {
    mark: "line",
    title: "Cooling of a cup of tea",
    x: ["minute", "quantitative", "Minutes"],
    y: ["degrees", "Temperature (°C)"],
    rows: times(40, (index) => ({
      minute: index * 1.5,
      degrees: Math.round((20 + 75 * Math.exp(-index / 14)) * 10) / 10,
    })),
  }),
  writeChart("line, far from zero", {
    mark: "line",
    x: ["d", "temporal", "Day"],
    y: ["pressure", "Pressure (hPa)"],
    rows: times(20, (index) => ({
      d: writeDay(index),
      pressure: Math.round((1013 + noise(12, index) * 9) * 10) / 10,
    })),
  }),
];

const AREAS: GalleryChart[] = [
  writeChart("area, single", {
    mark: "area",
    title: "Snow on the ground",
    x: ["day", "temporal", "Day"],
    y: ["cm", "Snow depth (cm)"],
    rows: times(120, (index) => ({
      day: writeDay(index, "2025-11-01"),
      cm: Math.max(0, Math.round(Math.sin((index - 20) / 32) * 70 + noise(14, index) * 10)),
    })),
  }),
  writeChart("area, stacked", {
    mark: "area",
    title: "Power by source",
    x: ["month", "temporal", "Month"],
    y: ["gwh", "Electricity (GWh)"],
    color: ["source", "Source"],
    rows: times(180, (index) => ({
      month: writeMonth(Math.floor(index / 5), 2022),
      source: ENERGY[index % 5] ?? "",
      gwh: Math.round(
        200 + (index % 5) * 90 + Math.sin(index / 20 + (index % 5)) * 120 + noise(15, index) * 40,
      ),
    })),
  }),
  writeChart("area, stacked, with gaps and late groups", {
    mark: "area",
    x: ["x", "quantitative", "Week"],
    y: ["n", "Reports"],
    color: ["kind", "Kind"],
    rows: [
      ...times(12, (index) => ({ x: index, n: index === 6 ? null : 20 + index, kind: "bug" })),
      ...times(6, (index) => ({ x: index * 2 + 1, n: 12 + noise(16, index) * 9, kind: "wish" })),
      { x: 4, n: 9, kind: "praise" },
    ],
  }),
  writeChart("area, negative too", {
    mark: "area",
    title: "Balance of trade",
    x: ["year", "temporal", "Year"],
    y: ["balance", "Balance (billion USD)"],
    rows: times(25, (index) => ({ year: 2000 + index, balance: Math.round(Math.sin(index / 4) * 900) / 10 })),
  }),
];

const POINTS: GalleryChart[] = [
  writeChart("point, three groups", {
    mark: "point",
    title: "Heavier cars drink more",
    x: ["kg", "quantitative", "Weight (kg)"],
    y: ["litres", "Litres for 100 km"],
    color: ["origin", "Origin"],
    rows: times(150, (index) => {
      const kg = Math.round(700 + noise(17, index) * 1500);
      return {
        kg,
        litres: Math.round((kg / 180 + noise(18, index) * 4) * 10) / 10,
        origin: ["Europe", "Japan", "USA"][index % 3] ?? "",
      };
    }),
  }),
  writeChart("point, 500 rows", {
    mark: "point",
    title: "Five hundred readings",
    x: ["a", "quantitative"],
    y: ["b"],
    rows: times(500, (index) => ({
      a: Math.round((noise(19, index) - 0.5) * 2000) / 10,
      b: Math.round((noise(20, index) + noise(21, index) - 1) * 1e5),
    })),
  }),
  writeChart("point, nominal x", {
    mark: "point",
    x: ["team", "nominal", "Team"],
    y: ["score", "Score"],
    rows: times(30, (index) => ({
      team: COUNTRIES[index % 7] ?? "",
      score: Math.round(noise(22, index) * 100),
    })),
  }),
];

/** Every mark with every type and size, for the gallery page; extreme values are generated by tests. */
export const GALLERY_CHARTS: readonly GalleryChart[] = [
  ...BAR_CHARTS,
  ...HORIZONTAL_CHARTS,
  ...LINES,
  ...AREAS,
  ...POINTS,
  ...BAND_CHARTS,
  ...ANNOTATED_CHARTS,
  ...FACET_CHARTS,
  ...MEMBER_CHARTS,
];
