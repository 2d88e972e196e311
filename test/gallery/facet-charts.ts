import {
  COUNTRIES,
  ENERGY,
  type GalleryChart,
  layDown,
  noise,
  times,
  writeChart,
  writeMonth,
} from "./chart-recipes.ts";

const facet = (field: string, title?: string) => ({
  facet: { field, type: "nominal", ...(title && { title }) },
});

/** Small charts that share their axes. */
export const FACET_CHARTS: GalleryChart[] = [
  writeChart("facets, eight lines in eight frames", {
    mark: "line",
    title: "Only wind and solar grow",
    x: ["year", "temporal", "Year"],
    y: ["share", "Share of electricity (%)"],
    channels: facet("source", "Source"),
    annotations: [{ rule: { x: "2022" }, label: "War" }],
    rows: times(88, (index) => ({
      year: String(2015 + Math.floor(index / 8)),
      source: ENERGY[index % 8] ?? "",
      share:
        Math.round(
          (10 +
            (index % 8) * 2 +
            (index % 8 === 1 || index % 8 === 4 ? Math.floor(index / 8) * 2 : 0) +
            noise(61, index) * 3) *
            10,
        ) / 10,
    })),
  }),
  writeChart("facets, 24 of stacked bars", {
    mark: "bar",
    title: "Twenty-four districts",
    x: ["quarter", "ordinal", "Quarter"],
    y: ["n", "Homes built"],
    color: ["kind", "Kind"],
    channels: facet("district"),
    rows: times(192, (index) => ({
      quarter: `Q${(Math.floor(index / 2) % 4) + 1}`,
      kind: index % 2 === 0 ? "Rented" : "Owned",
      district: `${COUNTRIES[Math.floor(index / 8) % 7]} ${Math.floor(index / 8) + 1}`,
      n: Math.round(20 + noise(62, index) * 300),
    })),
  }),
  writeChart("facets, three of bands with a line", {
    mark: "area",
    title: "Three gauges, each with its tides",
    x: ["month", "temporal", "Month"],
    y: ["high", "Water level (cm)"],
    channels: { ...facet("gauge"), y2: { field: "low" }, line: { field: "mean", title: "mean" } },
    annotations: [
      { rule: { y: 620 }, label: "Storm tide" },
      { band: { x: ["2026-04", "2026-06"] }, label: "Lock closed for repairs" },
    ],
    rows: times(36, (index) => {
      const mean = 500 + (index % 3) * 20 + Math.sin(index / 4) * 30;
      return {
        month: writeMonth(Math.floor(index / 3), 2026),
        gauge: ["Husum", "Büsum", "Cuxhaven"][index % 3] ?? "",
        high: Math.round(mean + 90),
        low: Math.round(mean - 110),
        mean: Math.round(mean),
      };
    }),
  }),
  writeChart("facets of horizontal bars", {
    mark: "bar",
    title: "What people say they would give up",
    x: ["thing", "nominal"],
    y: ["share"],
    channels: { ...layDown(["share", "Share (%)"], ["thing", "Thing"]), ...facet("age", "Age") },
    annotations: [{ rule: { x: 50 }, label: "Half" }],
    rows: times(15, (index) => ({
      age: ["Under 30", "30 to 60", "Over 60"][Math.floor(index / 5)] ?? "",
      thing:
        ["Flights", "Meat on five of seven days", "Own car", "New clothes", "Streaming"][index % 5] ?? "",
      share: Math.round(8 + noise(63, index) * 70),
    })),
  }),
  writeChart("facets, two of points, long names", {
    mark: "point",
    title: "Before and after",
    x: ["kg", "quantitative", "Weight (kg)"],
    y: ["litres", "Litres for 100 km"],
    color: ["origin", "Origin"],
    channels: facet("when"),
    rows: times(60, (index) => ({
      kg: Math.round(700 + noise(64, index) * 1500),
      litres: Math.round((3 + noise(65, index) * 9) * 10) / 10,
      origin: index % 3 === 0 ? "Japan" : "Europe",
      when: index % 2 === 0 ? "Before the tax on weight of 2012, all cars that were new" : "After it",
    })),
  }),
];
