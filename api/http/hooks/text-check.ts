import type { FastifyInstance } from "fastify";
import { refuseField } from "../../../shared/ground/errors.ts";
import { findUnstorable } from "../../../shared/ground/text.ts";

/** Makes every parameter of a query that a route reads text that the database can hold. */
export function addTextCheck(app: FastifyInstance): void {
  app.addHook("preValidation", ({ query }, _reply, done) => {
    refuseWhereRead(query);
    done();
  });
}

/** Lets what no database holds be refused, with 422 on its name, where a route reads it; unread it is ignored. */
export function refuseWhereRead(parameters: unknown): void {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    const fault = [value]
      .flat()
      .map((text) => findUnstorable(String(text)))
      .find((found) => found !== null);
    if (fault === undefined) continue;
    const get = () => {
      throw refuseField(name, `The parameter ${name} ${fault}.`);
    };
    Object.defineProperty(parameters, name, { get, enumerable: true });
  }
}
