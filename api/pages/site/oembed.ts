import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import {
  type AskedChart,
  getChartFile,
  PREVIEW_WIDTH_PX,
} from "../../../shared/reading/charts/chart-files.ts";
import { readChartPage } from "../../../shared/reading/charts/chart-page.ts";
import { nameRetracted } from "../../../shared/reading/present-marks.ts";
import { CARD_FRAME } from "../../../shared/text/artwork/paint.ts";
import { FRAME_WIDTH_PX, measureFrame, writeFrame } from "../../../shared/text/charts/chart-frame.ts";
import { escapeText } from "../../../shared/text/drawing/svg.ts";
import { showCreationCard } from "./artwork.ts";
import { type OpenCreation, toRevisionFrame } from "./revision-frame.ts";

/** How long another site may keep the answer: what the frame shows is new with each request. */
const CACHE_AGE_SECONDS = 3_600;

/** The most that another site has room for. */
export interface Room {
  width: number;
  height: number;
}

interface Thumbnail extends Room {
  url: string;
}

/** What another site shows of a work, by the oEmbed specification: a link with a picture. */
export async function toWorkEmbed({ deps }: RenderContext, creation: OpenCreation, room: Room) {
  const card = await showCreationCard(deps, creation);
  return {
    ...toEmbed(deps, creation, creation.revision.title),
    type: "link" as const,
    ...presentThumbnail({ url: card.url, ...CARD_FRAME }, room),
  };
}

/** What another site shows of a chart: a frame with the chart's page. */
export async function toChartEmbed(
  context: RenderContext,
  creation: OpenCreation,
  asked: AskedChart,
  room: Room,
) {
  const { url: src, name, figureHtml, pictureUrl } = await readChartPage(context, creation, asked);
  const width = Math.min(FRAME_WIDTH_PX, room.width);
  const height = Math.min(measureFrame(figureHtml, width), room.height);
  return {
    ...toEmbed(context.deps, creation, name),
    type: "rich" as const,
    html: writeFrame({ src, title: escapeText(name), width, height }),
    width,
    height,
    ...presentThumbnail(await findPicture(context, creation, asked, pictureUrl), room),
  };
}

function toEmbed(deps: Deps, creation: OpenCreation, title: string) {
  const { site, profile, retracted } = toRevisionFrame(deps, creation);
  return {
    version: "1.0" as const,
    title: nameRetracted(title, retracted),
    author_name: profile.display_name,
    author_url: profile.url,
    provider_name: site.name,
    provider_url: `${site.url}/`,
    cache_age: CACHE_AGE_SECONDS,
  };
}

/** The picture of a chart as previews have it; null for one that cannot be drawn. */
async function findPicture(
  context: RenderContext,
  creation: OpenCreation,
  asked: AskedChart,
  url: string,
): Promise<Thumbnail | null> {
  const svg = await getChartFile(context, creation, { ...asked, format: "svg" }).catch((error) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  const size = /width="(\d+)" height="(\d+)"/.exec(String(svg?.body));
  if (size === null) return null;
  const height = Math.round((PREVIEW_WIDTH_PX * Number(size[2])) / Number(size[1]));
  return { url, width: PREVIEW_WIDTH_PX, height };
}

/** A picture that is larger than there is room for is left out, as the specification says. */
function presentThumbnail(picture: Thumbnail | null, room: Room) {
  if (picture === null || picture.width > room.width || picture.height > room.height) return {};
  const { url, width, height } = picture;
  return { thumbnail_url: url, thumbnail_width: width, thumbnail_height: height };
}
