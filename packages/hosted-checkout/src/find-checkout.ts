import { requireRightAddress } from "@daric/charges/shown-address";
import { ApiError } from "@daric/domain/errors";
import { requireAllAnswering } from "@daric/postgres/tenants";
import { API_ANSWER_MS, createBatches } from "@daric/runtime/batch";
import {
  createSharedPoller,
  type SharedPoller,
  type ShownState,
  versionTag,
} from "@daric/runtime/shared-poller";
import type { ApiContext } from "./context.ts";
import type { PageInput } from "./page/view.ts";
import { projectCheckout } from "./projection.ts";
import type { CheckoutProjection } from "./schema.ts";
import { type Checkout, findChangedTokens, findCheckouts } from "./store.ts";

/** The Retry-After of a full service. */
const RETRY_AFTER_SECONDS = 1;
/** A read that repeats in half a second gives up early. */
const POLL_MS = 2_500;

export type ProjectedCheckout = Pick<PageInput, "charge" | "record" | "version"> & {
  readonly projection: CheckoutProjection;
};

/** Reads checkouts by token, for all clients of this process. */
type CheckoutFinder = {
  /**
   * Reads the current state; undefined for an unknown token.
   *
   * @throws SERVICE_UNAVAILABLE if its address is not the one that was issued for it.
   */
  find(token: string): Promise<ProjectedCheckout | undefined>;
  /** The projection as JSON with its version, at most a second old; undefined for an unknown token. */
  findShown(token: string): Promise<ShownState | undefined>;
  readonly poller: SharedPoller;
};

/** Batches simultaneous reads, and caches results for a moment. */
export function createCheckoutFinder(context: ApiContext, publicBaseUrl: string | undefined): CheckoutFinder {
  const { db, clock, wakeUps, requiredConfirmations } = context;
  const read = createBatches<string, Checkout | undefined>({
    run: async (_, tokens, ms) => {
      const found = await findCheckouts(db.answeringWithin(ms), [...new Set(tokens)]);
      return tokens.map((token) => found.get(token));
    },
    atOnce: 2,
    answerMs: API_ANSWER_MS,
    refusal: () => new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  const poller = pollerFor(context, project);
  wakeUps?.onWakeUp(poller.wake);

  function project({ charge, record }: Checkout): CheckoutProjection {
    return projectCheckout(charge, record, { requiredConfirmations, publicBaseUrl });
  }

  async function readNow(token: string) {
    const readMs = clock.monotonicMs();
    const checkout = await read("all", token);
    if (checkout === undefined) {
      requireAllAnswering();
      return undefined;
    }
    await requireRightAddress(context.addresses, checkout.charge);
    const projection = project(checkout);
    const shown = shownOf(checkout, projection);
    poller.keep(token, shown, readMs);
    return { checkout, projection, shown };
  }

  return {
    find: async (token) => {
      const found = await readNow(token);
      if (found === undefined) return undefined;
      const { charge, record, version } = found.checkout;
      return { charge, record, projection: found.projection, version: versionTag(version) };
    },
    findShown: async (token) => (await poller.recall(token)) ?? (await readNow(token))?.shown,
    poller,
  };
}

function shownOf({ version }: Checkout, projection: CheckoutProjection): ShownState {
  return { json: JSON.stringify(projection), version };
}

function pollerFor(
  { db, clock, log, databaseOutage, addresses }: ApiContext,
  project: (checkout: Checkout) => CheckoutProjection,
): SharedPoller {
  const quick = db.answeringWithin(POLL_MS);
  return createSharedPoller({
    clock,
    findChanged: (tokens, versions) => findChangedTokens(quick, tokens, versions),
    read: async (tokens) => {
      const shown = new Map<string, ShownState>();
      for (const [token, checkout] of await findCheckouts(quick, tokens)) {
        try {
          await requireRightAddress(addresses, checkout.charge);
          shown.set(token, shownOf(checkout, project(checkout)));
        } catch (error) {
          if (error instanceof ApiError) continue;
          const { address } = checkout.charge;
          log.error(
            { event: "checkout_not_shown", err: error, address },
            "a checkout cannot be shown; its websockets are closed",
          );
        }
      }
      return shown;
    },
    onFailure: (error) => {
      if (!databaseOutage.report(error))
        log.error(
          { event: "checkout_poll_failed", err: error },
          "changes of checkouts could not be read; it will be retried",
        );
    },
  });
}
