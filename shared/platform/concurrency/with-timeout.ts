// withTimeout stands in sql/, which imports nothing of ours; api/ imports it from here.
export { withTimeout } from "../../../sql/connection/with-timeout.ts";
