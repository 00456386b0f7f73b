import type { SourceContext } from "@daric/addresses/context";
import { findCharge } from "@daric/charges/charge";
import type { WatcherContext } from "@daric/deposits/context";
import { depositConfirmedEvent } from "@daric/deposits/deposit-event";
import { findDeposit } from "@daric/deposits/list-store";
import { asConfirmed, type ChangedDeposit } from "@daric/deposits/store";
import type { ApiKeyId, ChargeId, EndpointId, MerchantId, SettlementAccountId } from "@daric/domain/ids";
import type { DepositEventData } from "@daric/domain/webhook-event";
import type { ApiContext as HttpApiContext } from "@daric/http/context";
import { lockApiKey } from "@daric/merchants/api-key-store";
import { lockMerchantById } from "@daric/merchants/get-merchant";
import { disableAccount, moveDefault } from "@daric/merchants/settlement-account-store";
import { findMerchant, lockMerchant } from "@daric/merchants/store";
import type { Database, Transaction } from "@daric/postgres/sql";
import { assertLease, type Lease } from "@daric/runtime/lease";
import type { WebhooksContext } from "@daric/webhooks/deliveries/context";
import {
  findDelivery,
  pageStatement as matchingDeliveries,
} from "@daric/webhooks/deliveries/delivery-log-store";
import { findEndpoint } from "@daric/webhooks/endpoints/endpoint-store";
import type { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { expect, it } from "vitest";
import type { NodesContext } from "../deployment/context.ts";
import type { Config } from "../process/config.ts";
import type { Context as ServiceContext } from "../process/context.ts";

// Code that must not compile. None of it runs: the compiler checks that each line is refused.

type Ids = {
  merchantId: MerchantId;
  apiKeyId: ApiKeyId;
  accountId: SettlementAccountId;
  chargeId: ChargeId;
  endpointId: EndpointId;
};

it("a lock is taken in a transaction", () => {
  const misuse = (db: Database, ids: Ids, lease: Lease) => [
    // @ts-expect-error the lock would be gone with its statement
    assertLease(db, lease),
    // @ts-expect-error as above
    lockMerchantById(db, ids.merchantId),
    // @ts-expect-error as above
    lockMerchant(db, ids.merchantId),
    // @ts-expect-error as above
    lockApiKey(db, { merchantId: ids.merchantId, id: ids.apiKeyId }),
    // @ts-expect-error changed under the merchant's lock
    disableAccount(db, { merchantId: ids.merchantId, id: ids.accountId }),
    // @ts-expect-error changed under the merchant's lock
    moveDefault(db, { merchantId: ids.merchantId, id: ids.accountId }),
  ];
  const use = (tx: Transaction, lease: Lease) => assertLease(tx, lease);
  expect([misuse, use]).toHaveLength(2);
});

it("only a confirmed deposit is announced as confirmed", () => {
  const misuse = (deposit: ChangedDeposit) =>
    // @ts-expect-error its confirmation is unknown
    depositConfirmedEvent(deposit, new Map());
  const use = (deposit: ChangedDeposit) => depositConfirmedEvent(asConfirmed(deposit), new Map());
  expect([misuse, use]).toHaveLength(2);
});

it("the id of one resource is no id of another", () => {
  const misuse = (db: Database, { merchantId, chargeId, endpointId }: Ids) => [
    // @ts-expect-error the two ids are swapped
    findEndpoint(db, { merchantId: endpointId, id: merchantId }),
    // @ts-expect-error the id of a merchant is no id of a charge
    findCharge(db, { merchantId, id: merchantId }),
    // @ts-expect-error the id of a charge is no id of a deposit
    findDeposit(db, { merchantId, id: chargeId }),
    // @ts-expect-error the id of an endpoint is no id of a delivery
    findDelivery(db, { merchantId, id: endpointId }),
    // @ts-expect-error deliveries are of a deposit, of a charge or of an endpoint, never of a merchant
    matchingDeliveries({ merchantId, status: undefined, referenceId: merchantId }, { limit: 1, offset: 0 }),
    // @ts-expect-error a text is no checked id
    findMerchant(db, "0193a1b2-0000-7000-8000-000000000001"),
  ];
  const use = (db: Database, { merchantId, endpointId }: Ids) =>
    findEndpoint(db, { merchantId, id: endpointId });
  expect([misuse, use]).toHaveLength(2);
});

it("an event belongs to the resource in its name, and has its data", () => {
  type Event = Parameters<typeof enqueueEvents>[2][number];
  const misuse = (paid: Extract<Event, { type: "order.paid" }>, confirmed: DepositEventData) => [
    // @ts-expect-error an order event is of a charge
    { ...paid, resourceId: confirmed.depositId } satisfies Event,
    // @ts-expect-error the confirmation of this deposit is unknown
    { ...paid, type: "deposit.confirmed", resourceId: confirmed.depositId, data: confirmed } satisfies Event,
  ];
  const change = (data: DepositEventData) => {
    // @ts-expect-error a written event is not changed
    data.status = "CONFIRMED";
  };
  expect([misuse, change]).toHaveLength(2);
});

it("a function gets only the settings of its own role, in every folder", () => {
  const misuse = (context: ServiceContext) => [
    // @ts-expect-error only the API issues addresses
    context satisfies SourceContext,
    // @ts-expect-error only the watcher settles deposits
    context satisfies WatcherContext,
    // @ts-expect-error only the webhooks role makes deliveries
    context satisfies WebhooksContext,
    // @ts-expect-error only the API has callers
    context satisfies HttpApiContext,
    // @ts-expect-error a role without nodes has no node settings
    context satisfies NodesContext,
  ];
  const misread = ({ config }: WatcherContext) => [
    // @ts-expect-error the watcher issues nothing
    config.addresses.accountXpub,
    // @ts-expect-error nor does it send
    config.webhooks.masterKey,
  ];
  const use = (context: ServiceContext<Config<"watcher">>) => context satisfies WatcherContext;
  expect([misuse, misread, use]).toHaveLength(3);
});
