import type { Caller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import type { FastifyRequest } from "fastify";
import type { KeyCheck } from "./authenticate.ts";
import type { SessionGuard } from "./session.ts";

type Asked = { readonly request: FastifyRequest; readonly scopes: Caller["scopes"] | undefined };
type Parts = {
  readonly findCaller: KeyCheck["findCaller"];
  readonly sessions: Pick<SessionGuard, "readCaller" | "readOperator"> | undefined;
};

/**
 * Makes the question whether the sender of a long answer has the same rights as when it began. Then the key is not revoked, the session
 * has not ended, and its person has the same role. Without rights, the person must still be an operator.
 *
 * @throws DatabaseUnavailableError, from the question, when it cannot be answered.
 */
export function createRecheck({ findCaller, sessions }: Parts) {
  return async ({ request, scopes }: Asked): Promise<boolean> => {
    const key = request.headers["x-api-key"];
    try {
      if (scopes === undefined) return (await sessions?.readOperator(request)) !== undefined;
      const caller = typeof key === "string" ? await findCaller(key) : await sessions?.readCaller(request);
      return typeof caller === "object" && caller.scopes.join() === scopes.join();
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };
}
