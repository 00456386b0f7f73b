import { Accounts } from "./accounts.ts";
import { Api } from "./api.ts";
import { Checkouts } from "./checkouts.ts";
import { type OnceMade, type OrderOnce, OrdersOnce } from "./create-order-once.ts";
import { Currencies } from "./currencies.ts";
import { DepositAddresses } from "./deposit-addresses.ts";
import { Deposits } from "./deposits.ts";
import { Events } from "./events.ts";
import { Exports } from "./exports.ts";
import type { CallOptions } from "./operation.ts";
import { PaymentLinks } from "./payment-links.ts";
import { RefundClaims } from "./refund-claims.ts";
import { Refunds } from "./refunds.ts";
import { type DaricOptions, settingsOf } from "./settings.ts";
import { Settlement } from "./settlement.ts";
import { Shops } from "./shops.ts";
import { WebhookDeliveries } from "./webhook-deliveries.ts";
import { WebhookEndpoints } from "./webhook-endpoints.ts";

/**
 * A client of one deployment. Requests are in camelCase and answers in snake_case, as on the wire; amounts
 * are decimal strings.
 *
 * Every call fails with a `DaricError`, or with the reason of `options.signal` after an abort.
 */
export class Daric {
  readonly account: Accounts;
  readonly depositAddresses: DepositAddresses;
  readonly deposits: Deposits;
  readonly paymentLinks: PaymentLinks;
  readonly refunds: Refunds;
  readonly refundClaims: RefundClaims;
  readonly settlement: Settlement;
  readonly shops: Shops;
  readonly exports: Exports;
  readonly events: Events;
  readonly webhooks: { readonly endpoints: WebhookEndpoints; readonly deliveries: WebhookDeliveries };
  readonly checkout: Checkouts;
  readonly currencies: Currencies;
  /** the environment of the key; undefined without a key */
  readonly environment: "test" | "live" | undefined;
  readonly #orders: OrdersOnce;

  /** @throws TypeError for an invalid option. */
  constructor(options: DaricOptions) {
    const settings = settingsOf(options);
    const api = new Api(settings);
    this.environment = settings.environment;
    this.account = new Accounts(api);
    this.depositAddresses = new DepositAddresses(api);
    this.deposits = new Deposits(api);
    this.paymentLinks = new PaymentLinks(api);
    this.refunds = new Refunds(api);
    this.refundClaims = new RefundClaims(api);
    this.settlement = new Settlement(api);
    this.shops = new Shops(api);
    this.exports = new Exports(api);
    this.events = new Events(api, settings.warn);
    this.webhooks = {
      endpoints: new WebhookEndpoints(api),
      deliveries: new WebhookDeliveries(api),
    };
    this.checkout = new Checkouts(api);
    this.currencies = new Currencies(api);
    this.#orders = new OrdersOnce(this.depositAddresses, settings);
  }

  /**
   * The order of this `orderRef`: found, or made if there is none.
   *
   * Sequential calls always find the same order, and so do parallel calls of one client. Two processes in
   * parallel may make two: the service has no idempotency key. Keep the order's id under a unique key of your
   * own, or let one process make orders. After a 503 with Retry-After it waits as told, looks again and tries again.
   * After an error with `isOutcomeUnknown` wait 15 s, or `retryAfter` if that is longer, and call again: it finds a late order.
   *
   * An existing order is returned in its state, also when it is paid, expired or archived.
   *
   * @throws DaricError ORDER_REF_CONFLICT if that order has another amount or currency.
   */
  createOrderOnce(order: OrderOnce, options?: CallOptions): Promise<OnceMade> {
    return this.#orders.create(order, options);
  }
}
