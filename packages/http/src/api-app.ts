import type { CallerScope } from "@daric/domain/api-scope";
import type { Caller } from "@daric/domain/caller";
import type { Session } from "@daric/domain/session";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";

/** Fastify with zod schemas, on which routes are registered. */
export type ApiApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type PathRow = {
  readonly name: string;
  exists(request: FastifyRequest, id: string): Promise<boolean>;
  /** the values of the row before and after a person's write, for the audit log; its `updatedAt` finds stale forms */
  valuesOf?(request: FastifyRequest, id: string): Promise<object | undefined>;
};

/** The properties that routes of features read from a request, and those that they declare. */
declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyRequest {
    /** Set on every route inside the authenticated scope; reading it elsewhere throws. */
    readonly caller: Caller;
    /** Set on every route behind `requireSession` that is not public; reading it elsewhere throws. */
    readonly session: Session;
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface FastifyContextConfig {
    /** the permission that a key or a role needs; every route that acts for a merchant has one */
    scope?: CallerScope;
    /** every key may call the route: `scope` is that of people alone */
    isForAnyKey?: true;
    /** the permission that a role needs instead of `scope`, which is then that of keys */
    personScope?: CallerScope;
    /**
     * open to a caller who may see own orders alone (`Caller.ownOrdersOf`): the route shows and changes no others. Every other route with a
     * scope refuses such a caller
     */
    narrows?: true;
    /**
     * the row of the path's id: its name and its check of ownership, which runs before query and body are
     * validated
     */
    pathRow?: PathRow;
    /** the callers of a route of the dashboard without a scope; a live service requires a second factor of each person */
    access?: "public" | "person" | "person without second factor" | "operator";
    /** the route needs a proof of the person that is at most five minutes old */
    needsProof?: true;
    /** a frequent machine request: logged at debug level only */
    isProbe?: boolean;
  }
}
