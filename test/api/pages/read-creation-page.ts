import { renderCreationPage } from "../../../api/pages/site/creation-page.ts";
import type { CreationPageView } from "../../../api/pages/site/creation-view.ts";
import { leadsTo, readPage, readText } from "./dom.ts";

export const read = (view: CreationPageView) => readPage(renderCreationPage(view));
export const textOf = (view: CreationPageView) => {
  const [main] = read(view).all("main");
  return main ? readText(main).replace(/\s+/g, " ") : "";
};
export const linksOf = (view: CreationPageView) =>
  read(view)
    .all("a")
    .map((link) => leadsTo(link));
export const data = (view: CreationPageView) => {
  const [script] = read(view).all("script");
  return script ? JSON.parse(readText(script)) : null;
};

export function missing(): never {
  throw new Error("The element is missing.");
}
