import { z } from "zod";
import { figureOf } from "../ground/limits.ts";
import { describeMember } from "./describe-member.ts";
import { conclude, type Outcome, type Problems } from "./explain.ts";
import { requestOf } from "./members.ts";
import { readRequest } from "./read-request.ts";

// A file's name behind its folders, with blanks around it; the service refuses disguising characters in it, too.
const FILENAME = {
  pattern:
    "^(?:.*[/\\\\])?\\s*[^/\\\\\\u0000-\\u001f]*\\.(?:(?:[Cc][Ss][Vv]|[Jj][Ss][Oo][Nn])(?:\\.(?:[Gg][Zz]|[Zz][Ss][Tt]))?|[Tt][Xx][Tt]|[Mm][Dd])\\s*$",
};

/** The body of POST /uploads. */
export const CreateUploadRequest = requestOf({
  filename: describeMember(
    z.string().meta(FILENAME),
    "What the file is called; it ends in .csv, .json, .txt or .md, or in .gz or .zst behind one of the first two. Folders are left out.",
    "readings.csv",
  ),
  bytes: describeMember(
    z.int().min(1).nullish(),
    `The size of the file, at most ${figureOf("fileBytes")}: a file that your quotas refuse is refused at once.`,
    68,
  ),
});

/** Reads the body of POST /uploads. Never throws. */
export function parseCreateUpload(body: unknown): Outcome<z.infer<typeof CreateUploadRequest>> {
  const problems: Problems = new Map();
  return conclude(problems, readRequest(CreateUploadRequest, body, problems));
}
