import { z } from "zod";
import { address, count } from "./members.ts";

/** Where a published revision stands in the transparency log. */
export const logged = z
  .strictObject({
    index: count.describe("Its entry in the transparency log."),
    proof_url: address.describe("The proof of that, which opens as the page of the revision does."),
  })
  .nullable()
  .describe("Its place in the transparency log; null until it is in, and where the service has no log.");
