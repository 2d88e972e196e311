import {
  COUNTRIES,
  ENERGY,
  type GalleryChart,
  LONG,
  noise,
  times,
  writeChart,
  writeMonth,
} from "./chart-recipes.ts";

/** Bars: plain, stacked, negative, crowded. */
export const BAR_CHARTS: GalleryChart[] = [
  writeChart("bar, nominal", {
    mark: "bar",
    title: "Rain falls on the west coast",
    description: "Yearly precipitation at seven stations, mean of 1991 to 2020.",
    x: ["country", "nominal", "Country"],
    y: ["mm", "Precipitation (mm a year)"],
    rows: COUNTRIES.map((country, index) => ({ country, mm: Math.round(400 + noise(1, index) * 1800) })),
  }),
  writeChart("bar, negative and positive", {
    mark: "bar",
    title: "Change on the year before",
    x: ["quarter", "ordinal", "Quarter"],
    y: ["change", "Change in per cent"],
    rows: times(12, (index) => ({
      quarter: `Q${(index % 4) + 1} ${2023 + Math.floor(index / 4)}`,
      change: Math.round((noise(2, index) - 0.55) * 90) / 10,
    })),
  }),
  writeChart("bar, stacked", {
    mark: "bar",
    title: "Where the power came from",
    x: ["year", "temporal", "Year"],
    y: ["twh", "Electricity (TWh)"],
    color: ["source", "Source"],
    rows: times(40, (index) => ({
      year: 2016 + Math.floor(index / 4),
      source: ENERGY[index % 4] ?? "",
      twh: Math.round(noise(3, index) * 900) / 10 + 10,
    })),
  }),
  writeChart("bar, stacked, eight groups, negative too", {
    mark: "bar",
    title: "Eight flows in and out",
    x: ["month", "temporal"],
    y: ["flow", "Net flow (EUR)"],
    color: ["account", "Account"],
    rows: times(96, (index) => ({
      month: writeMonth(Math.floor(index / 8), 2025),
      account: ENERGY[index % 8] ?? "",
      flow: Math.round((noise(4, index) - 0.4) * 4e6),
    })),
  }),
  writeChart("bar, long labels", {
    mark: "bar",
    title: LONG.slice(0, 120),
    x: ["a", "nominal", LONG],
    y: ["b", LONG],
    color: ["c", LONG],
    rows: times(18, (index) => ({
      a: `${index} ${LONG}`.slice(0, 160),
      b: 10 + index,
      c: `${index % 3} ${LONG}`,
    })),
  }),
  writeChart("bar, right-to-left and emoji labels", {
    mark: "bar",
    title: "مبيعات المتجر 🛒 לפי סוג",
    x: ["a", "nominal", "סוג המוצר"],
    y: ["b", "المبيعات (2026)"],
    rows: [
      "قهوة عربية",
      "תה ירוק",
      "🍎 Äpfel",
      "👩‍👩‍👧‍👦 families",
      "日本語のラベル",
      "Кофе",
      "Ελληνικός καφές",
    ].map((a, index) => ({ a, b: 12 + index * 5 })),
  }),
  writeChart("bar, 500 rows", {
    mark: "bar",
    title: "Five hundred bars",
    x: ["name", "nominal", "Name"],
    y: ["size", "Size"],
    rows: times(500, (index) => ({ name: `Item number ${index}`, size: Math.round(noise(9, index) * 1000) })),
  }),
];
