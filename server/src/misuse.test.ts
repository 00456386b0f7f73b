import type { Database, Transaction } from "@daric/postgres/sql";
import { expect, it } from "vitest";
import { depositConfirmedEvent } from "./deposits/deposit-event.ts";
import { asConfirmed, type ChangedDeposit } from "./deposits/store.ts";
import { lockApiKey } from "./merchants/api-key-store.ts";
import { holdMerchant } from "./merchants/get-merchant.ts";
import { disableAccount, moveDefault } from "./merchants/settlement-account-store.ts";
import { lockMerchant } from "./merchants/store.ts";
import { assertLease, type Lease } from "./runtime/lease.ts";

// What must not be written, and does not compile. None of it runs: the compiler checks that each line is refused.

it("a lock is taken in a transaction", () => {
  const misuse = (db: Database, id: string, lease: Lease) => [
    // @ts-expect-error the lock would be gone with its statement
    assertLease(db, lease),
    // @ts-expect-error as above
    holdMerchant(db, id),
    // @ts-expect-error as above
    lockMerchant(db, id),
    // @ts-expect-error as above
    lockApiKey(db, id),
    // @ts-expect-error changed under the merchant's lock
    disableAccount(db, id),
    // @ts-expect-error changed under the merchant's lock
    moveDefault(db, { merchantId: id, id }),
  ];
  const use = (tx: Transaction, lease: Lease) => assertLease(tx, lease);
  expect([misuse, use]).toHaveLength(2);
});

it("a deposit is announced as confirmed once it is", () => {
  const misuse = (deposit: ChangedDeposit) =>
    // @ts-expect-error nobody knows whether it is confirmed
    depositConfirmedEvent(deposit, new Map());
  const use = (deposit: ChangedDeposit) => depositConfirmedEvent(asConfirmed(deposit), new Map());
  expect([misuse, use]).toHaveLength(2);
});
