import { ApiError } from "@daric/domain/errors";
import type { FastifyRequest } from "fastify";
import type { KeyCheck } from "./authenticate.ts";
import type { SessionGuard } from "./session.ts";

type Parts = {
  readonly findCaller: KeyCheck["findCaller"];
  readonly sessions: Pick<SessionGuard, "readCaller" | "readOperator"> | undefined;
};

/**
 * Makes the question whether the sender of a long answer would be admitted to its route now: the key is not revoked, the session has not
 * ended, and key or role still has the rights that it began with.
 *
 * @throws DatabaseUnavailableError, from the question, when it cannot be answered.
 */
export function createRecheck({ findCaller, sessions }: Parts): (request: FastifyRequest) => Promise<boolean> {
  return async (request) => {
    const { access, scope, personScope = scope } = request.routeOptions.config;
    const key = request.headers["x-api-key"];
    try {
      if (access === "operator") return (await sessions?.readOperator(request)) !== undefined;
      if (typeof key === "string") {
        const caller = await findCaller(key);
        return typeof caller === "object" && scope !== undefined && caller.scopes.includes(scope);
      }
      const person = await sessions?.readCaller(request);
      return [personScope, "exports:read" as const].every((right) => right && person?.scopes.includes(right));
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };
}
