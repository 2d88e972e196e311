import { z } from "zod";
import { figureOf } from "../limits.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { requestOf } from "./members.ts";
import { readRequest } from "./read-request.ts";

/** The body of POST /uploads. */
export const CreateUploadRequest = requestOf({
  filename: z
    .string()
    .describe("What the file is called; it ends in .csv, .json, .txt or .md. Folders are left out."),
  bytes: z
    .int()
    .min(1)
    .nullish()
    .describe(
      `The size of the file, at most ${figureOf("fileBytes")}: a file that your quotas refuse is refused at once.`,
    ),
});

/** Reads the body of POST /uploads. Never throws. */
export function parseCreateUpload(body: unknown): Outcome<z.infer<typeof CreateUploadRequest>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(CreateUploadRequest, body, problems));
}
