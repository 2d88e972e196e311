import { createHash } from "node:crypto";
import { CHART_RULES } from "./charts/rules.ts";
import { FLOWCHART_RULES } from "./flowcharts/rules.ts";
import { buildConsoleStylesheet, buildStylesheet } from "./theme/stylesheet.ts";

/** A stylesheet and its address, which holds a hash of the text, so that a browser may cache it for ever. */
export interface Stylesheet {
  css: string;
  path: string;
}

/** The stylesheet of every page: the theme with the rules of charts and flowcharts. */
export const STYLESHEET = addressStylesheet("style", buildStylesheet([CHART_RULES, FLOWCHART_RULES]));

/** The further stylesheet of the console. */
export const CONSOLE_STYLESHEET = addressStylesheet("console", buildConsoleStylesheet());

function addressStylesheet(name: string, css: string): Stylesheet {
  const hash = createHash("sha256").update(css).digest("hex").slice(0, 12);
  return { css, path: `/${name}-${hash}.css` };
}
