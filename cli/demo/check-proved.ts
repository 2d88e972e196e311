import { PublicCreation } from "./answers.ts";
import { askFor, readJson } from "./client.ts";
import type { Works } from "./creations.ts";
import { PROVED } from "./proved-figures.ts";
import { hold } from "./steps.ts";

/** Reads what the data said of the story's figures, and that its page marks each; returns them in one line. */
export async function checkProved({ story }: Works): Promise<string> {
  const { data } = readJson(await askFor(200, story.jsonUrl), PublicCreation);
  hold(data.figures.length === PROVED.length, `it has ${data.figures.length} figures`);
  const { text: page } = await askFor(200, story.publicUrl);
  hold(page.includes("Figures checked against the data"), "the page does not list them");
  for (const { text } of data.figures) hold(page.includes(`>${text}</a>`), `the page does not mark ${text}`);
  return data.figures.map(({ text, value }) => `${text} (${value})`).join(", ");
}
