import { toAttachment } from "../../../shared/datasets/uploads/public-files.ts";
import {
  CHART_FORMATS,
  type ChartFormat,
  getChartFile,
  PNG_WIDTH_PX,
  PREVIEW_WIDTH_PX,
} from "../../../shared/reading/charts/chart-files.ts";
import { disclosureHeaders } from "../../../shared/reading/present-marks.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { SANDBOX } from "../../http/hooks/security-headers.ts";
import { EXPORT_TYPES } from "../../http/table-export.ts";
import { ChartBlock, ChartPictureQuery } from "../../openapi/schemas.ts";
import { addDocument, CHART_FOLDERS, openPublicRoutes } from "../open-public-routes.ts";

/** A kind of file: its type, what it is in words, and whether a browser saves it instead of showing it. */
interface FileKind {
  type: string;
  what: string;
  isDownload: boolean;
}

const KINDS: Readonly<Record<ChartFormat, FileKind>> = {
  svg: { type: "image/svg+xml; charset=utf-8", what: "as an SVG drawing", isDownload: true },
  png: { type: "image/png", what: "as a PNG, 1,600 pixels wide", isDownload: false },
  csv: { type: EXPORT_TYPES.csv, what: "in its rows, as CSV", isDownload: true },
  json: { type: "application/json; charset=utf-8", what: "as its block in the text", isDownload: false },
};

const readWidth = ({ width }: Record<string, unknown>) =>
  width === String(PREVIEW_WIDTH_PX) ? PREVIEW_WIDTH_PX : PNG_WIDTH_PX;
const variantOfPicture = (query: Record<string, unknown>) => ({ width: String(readWidth(query)) });

/** The charts of a work's text as files, by their numbers: of the live revision, and of every published one. */
export const addChartFileRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const format of CHART_FORMATS) {
    const { type, what, isDownload } = KINDS[format];
    const urls = CHART_FOLDERS.map((folder) => `${folder}/:chart.${format}`);
    const describe = (isOfRevision: boolean) => ({
      summary: `A chart${isOfRevision ? " of a published revision" : ""} ${what}`,
      answers: { 200: format === "json" ? ChartBlock : null },
      ...(format === "png" ? { query: ChartPictureQuery, variantOf: variantOfPicture } : {}),
      disclosed: true as const,
      ...(format === "json" ? {} : { mediaTypes: type.split(";").slice(0, 1) }),
    });
    addDocument(add, urls, describe, async (input, creation, revision) => {
      const { slug, chart = "" } = input.params;
      const { body, made } = await refuseAsNoindex(creation, () =>
        getChartFile(input.context, creation, { chart, revision, format, widthPx: readWidth(input.query) }),
      );
      const filename = `${slug}${revision === null ? "" : `-revision-${revision}`}-chart-${chart}.${format}`;
      return {
        type,
        body: typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        headers: {
          ...SANDBOX,
          ...disclosureHeaders(made),
          ...(isDownload ? { "content-disposition": toAttachment(filename) } : {}),
        },
      };
    });
  }
};
