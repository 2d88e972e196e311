import { z } from "zod";
import { address, dataOf, Timestamp } from "./members.ts";

/** POST /uploads. */
export const Upload = dataOf(
  z.strictObject({
    upload_url: address.describe(
      "Takes one file, without a token. Whoever has it can upload to you: tell nobody else.",
    ),
    expires_at: Timestamp,
    curl: z.string().describe("The line to run in a shell, in the folder of the file."),
  }),
);
