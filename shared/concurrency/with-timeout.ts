// The one race against a timer stands in sql/, which imports nothing of ours; api/ reaches it from here.
export { withTimeout } from "../../sql/connection/with-timeout.ts";
