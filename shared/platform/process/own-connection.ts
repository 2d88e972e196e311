// withConnection stands in sql/, which imports nothing of ours; cli/ imports it from here.
export { withConnection } from "../../../sql/connection/own-connection.ts";
