import { addressMac, type MacContext } from "@daric/addresses/address-mac";
import type { IssuingSource } from "@daric/addresses/address-source";
import { releaseUnowned, reserveFor } from "@daric/addresses/directory-store";
import type { IssuedAddress } from "@daric/addresses/issued-address";
import { skipThrough } from "@daric/addresses/key-store";
import { ApiError } from "@daric/domain/errors";
import type { ChargeId } from "@daric/domain/ids";
import type { Database, Transaction } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import type { NewCharge } from "../charge.ts";
import type { AddressedDraft, InsertedCharge } from "./charge-draft-store.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { createCharge } from "./create-charge.ts";
import { createTermsCache } from "./terms-cache.ts";
import { insertAlone, insertInTransaction } from "./write-charge.ts";

type AdoptingContext = MacContext & {
  /** connected as the owner of the tables */
  readonly db: Database;
  readonly checkoutKey: Buffer;
};

export type Adoption = {
  readonly request: ChargeRequest;
  /** the address, with the index that derives it */
  readonly issued: IssuedAddress;
  /** the id that the merchant knows the charge by */
  readonly id: ChargeId | undefined;
  /** called in the transaction of the change */
  readonly record: (tx: Transaction, id: ChargeId) => Promise<void>;
};

/**
 * Creates a charge for an address that was issued before the database lost its row. It has the merchant's present
 * terms and a whole lifetime from now on, so an earlier payment is on time. All is one transaction.
 *
 * @throws as {@link createCharge}. @throws the unique violation of an id that another charge has.
 */
export async function adoptAddress(context: AdoptingContext, adoption: Adoption): Promise<NewCharge> {
  const { db, checkoutKey } = context;
  return createCharge(
    {
      db,
      checkoutKey,
      terms: createTermsCache(db),
      addresses: sourceOf(context, adoption.issued),
      insertDraft: (draft) => insertAdopted(db, draft, adoption),
      findRate: () => Promise.reject(new ApiError("RATE_UNAVAILABLE")),
    },
    adoption.request,
  );
}

/** A source that issues this one address. */
function sourceOf(context: AdoptingContext, issued: IssuedAddress): IssuingSource {
  return {
    take: async () => issued,
    giveBack: () => {},
    forgetReady: () => {},
    macOf: (as) => addressMac(context, as),
  };
}

async function insertAdopted(
  db: Database,
  draft: AddressedDraft,
  { id, record }: Pick<Adoption, "id" | "record">,
): Promise<InsertedCharge> {
  const { merchantId, issued } = draft;
  return insertInTransaction(db, async (tx) => {
    await skipThrough(tx, issued.accountKeyId, issued.index);
    await releaseUnowned(tx, issued.bytes);
    if (isSharded()) await reserveFor(tx, merchantId, [issued]);
    const inserted = await insertAlone(tx, { ...draft, id });
    await record(tx, inserted.id);
    return inserted;
  });
}
