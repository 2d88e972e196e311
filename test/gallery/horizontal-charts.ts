import { ENERGY, type GalleryChart, LONG, noise, times, writeBlock } from "./chart-recipes.ts";

const QUANTITY = { type: "quantitative" };
const NAME = { type: "nominal" };

/** Bars that lie: names of every length, stacks, negative values, extremes. */
export const HORIZONTAL_CHARTS: GalleryChart[] = [
  writeBlock("horizontal bars, names of up to 60 characters", {
    mark: "bar",
    title: "What people complain about",
    data: {
      values: [
        "Trains that leave before the time in the printed timetable",
        "Doors",
        "Announcements that nobody can understand on the platform",
        "Ticket machines out of order",
        "No seat although one was reserved and paid for months before",
        "A toilet that is closed, and has been closed since the spring of the year before last",
        "Noise",
      ].map((reason, index) => ({ reason, n: [1204, 33, 871, 640, 412, 377, 12][index] ?? 0 })),
    },
    encoding: {
      x: { field: "n", ...QUANTITY, title: "Complaints in 2025" },
      y: { field: "reason", ...NAME, title: "Reason" },
    },
  }),
  writeBlock("horizontal bars, eight groups, negative too", {
    mark: "bar",
    title: "Eight flows in and out",
    data: {
      values: times(48, (index) => ({
        month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun"][Math.floor(index / 8)] ?? "",
        flow: Math.round((noise(4, index) - 0.4) * 4e6),
        account: ENERGY[index % 8] ?? "",
      })),
    },
    encoding: {
      x: { field: "flow", ...QUANTITY, title: "Net flow (EUR)" },
      y: { field: "month", type: "ordinal", title: "Month" },
      color: { field: "account", ...NAME, title: "Account" },
    },
  }),
  writeBlock("horizontal bars, negative and positive, with a missing value", {
    mark: "bar",
    title: "Change on the year before",
    data: {
      values: ENERGY.map((source, index) => ({
        source,
        change: index === 2 ? null : Math.round((noise(2, index) - 0.55) * 90) / 10,
      })),
    },
    encoding: {
      x: { field: "change", ...QUANTITY, title: "Change in per cent" },
      y: { field: "source", ...NAME, title: "Source" },
    },
  }),
  writeBlock("horizontal bars, scripts and extremes", {
    mark: "bar",
    title: "مبيعات المتجر 🛒 לפי סוג",
    data: {
      values: [
        "قهوة عربية",
        "תה ירוק",
        "🍎 Äpfel",
        "",
        "日本語の長いラベルがここに立っていて折り返します",
        LONG,
      ].map((name, index) => ({ name, n: (index % 2 === 0 ? 1 : -1) * 1.7e308 * noise(5, index) })),
    },
    encoding: {
      x: { field: "n", ...QUANTITY, title: "المبيعات (2026)" },
      y: { field: "name", ...NAME, title: "סוג המוצר" },
    },
  }),
];
