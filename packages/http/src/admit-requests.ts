import { ApiError } from "@daric/domain/errors";
import type { FastifyRequest } from "fastify";
import type { Admission, answeredMs, HeldSlot, Party } from "./admission.ts";
import type { ApiApp } from "./api-app.ts";

const TOO_MUCH = "The service has more requests than it can answer in time. This one was not started.";

/** The slot of a request until its answer. */
const taken: unique symbol = Symbol("slot");

declare module "node:net" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface Socket {
    [answeredMs]?: number;
  }
}

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    [taken]?: HeldSlot | undefined;
  }
}

/**
 * Puts all later routes of `scope` under admission. A request that cannot be answered in time gets 503 and
 * Retry-After. Only hooks registered before this one run first. `partyOf` names the party whose share the
 * request uses.
 */
export function admitRequests(
  scope: ApiApp,
  admission: Admission,
  partyOf: (request: FastifyRequest) => Party,
): void {
  scope.decorateRequest(taken, undefined);
  scope.addHook("preValidation", (request, _reply, done) => {
    const slot = admission.enter(partyOf(request), request.raw.socket);
    if (typeof slot === "number")
      throw new ApiError("SERVICE_UNAVAILABLE", { message: TOO_MUCH, retryAfterSeconds: slot });
    request[taken] = slot;
    done();
  });
  // Not when the answer has been sent, because a caller that hangs up gets none although the work has ended.
  // biome-ignore lint/complexity/useMaxParams: a hook that makes no promise is called with four
  scope.addHook("onSend", (request, _reply, _payload, done) => {
    const slot = request[taken];
    if (slot !== undefined) {
      request[taken] = undefined;
      admission.leave(slot);
    }
    done();
  });
}
