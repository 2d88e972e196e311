import { type GalleryChart, noise, times, writeChart, writeDay, writeMonth } from "./chart-recipes.ts";

/** Bands between two values, with a line over them or without. */
export const BAND_CHARTS: GalleryChart[] = [
  writeChart("band with a line", {
    mark: "area",
    title: "Warmer than the thirty years before",
    description: "Daily mean temperature; the band holds the coldest and the warmest day of 1991 to 2020.",
    x: ["day", "temporal", "Day"],
    y: ["warmest", "Temperature (°C)"],
    channels: { y2: { field: "coldest" }, line: { field: "mean", title: "2025" } },
    rows: times(120, (index) => {
      const usual = 4 + Math.sin((index - 30) / 40) * 9;
      return {
        day: writeDay(index),
        warmest: Math.round((usual + 5 + noise(41, index) * 4) * 10) / 10,
        coldest: Math.round((usual - 6 - noise(42, index) * 4) * 10) / 10,
        mean: Math.round((usual + 3 + (noise(43, index) - 0.5) * 6) * 10) / 10,
      };
    }),
  }),
  writeChart("band, far from zero, with gaps", {
    mark: "area",
    title: "Tides at Husum, and two days without a gauge",
    x: ["day", "temporal", "Day"],
    y: ["high", "High water (cm)"],
    channels: { y2: { field: "low", title: "Low water (cm)" } },
    rows: times(28, (index) => ({
      day: writeDay(index, "2026-02-01"),
      high: index === 9 || index === 10 ? null : Math.round(640 + Math.sin(index / 4) * 40),
      low: index === 20 ? null : Math.round(410 - Math.sin(index / 4) * 25),
    })),
  }),
  writeChart("bands, three groups with lines", {
    mark: "area",
    title: "Three forecasts drift apart",
    x: ["month", "temporal", "Month"],
    y: ["high", "Unemployed (thousand)"],
    color: ["model", "Model"],
    channels: { y2: { field: "low" }, line: { field: "middle", title: "median" } },
    rows: times(54, (index) => {
      const [month, model] = [Math.floor(index / 3), index % 3];
      const middle = 420 + month * (model - 1) * 6 + noise(44, month) * 8;
      return {
        month: writeMonth(month, 2026),
        model: ["Bank", "Institute", "Union"][model] ?? "",
        low: Math.round(middle - 4 - month * 2),
        middle: Math.round(middle),
        high: Math.round(middle + 4 + month * 2),
      };
    }),
  }),
];
