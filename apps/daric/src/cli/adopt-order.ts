import { addressBytes } from "@daric/addresses/address-bytes";
import { findOwners } from "@daric/addresses/directory-store";
import { findIndex } from "@daric/addresses/find-index";
import { ensureAccountKey, findNextIndex, GAP } from "@daric/addresses/key-store";
import { findCharge } from "@daric/charges/charge";
import { adoptAddress } from "@daric/charges/create/adopt-address";
import {
  requireDefaultSettlementAccount,
  requireSettlementAccount,
} from "@daric/charges/create/preconditions";
import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, type ChargeRef, idOf, type MerchantId, parseId } from "@daric/domain/ids";
import { type Amount, formatAmount } from "@daric/domain/money";
import type { Database } from "@daric/postgres/sql";
import { insertAuditEntry } from "@daric/runtime/audit-store";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { CommandError } from "./failure.ts";

/** The facts that the operator and the merchant give about an address that the database does not know. */
export type AdoptionOrder = {
  readonly address: string;
  readonly merchantId: MerchantId;
  readonly id: ChargeId | undefined;
  readonly orderRef: string;
  readonly currency: Currency;
  /** null: any amount is welcome */
  readonly amount: Amount | null;
  readonly settlementAccount: string | undefined;
  readonly by: string;
};

type AdoptingContext = Omit<Parameters<typeof adoptAddress>[0], "checkoutKey"> & {
  readonly config: { readonly addresses: { readonly accountXpub: string } };
};

type Issued = Parameters<typeof adoptAddress>[1]["issued"];

/**
 * The charge that an earlier run made for the address; undefined while it has none.
 *
 * @throws CommandError if it belongs to another charge, or is reserved for another merchant.
 */
export async function findAdopted(
  db: Database,
  { address, merchantId, id, orderRef }: AdoptionOrder,
): Promise<ChargeRef | undefined> {
  const [owner] = await findOwners(db, [addressBytes(address)]);
  if (owner?.merchantId && !owner.chargeId && owner.merchantId !== merchantId)
    throw new CommandError(`${address} was issued for merchant ${owner.merchantId}: name that one`);
  if (!owner?.merchantId || !owner.chargeId) return undefined;
  const ref = { merchantId: owner.merchantId, id: owner.chargeId };
  const charge = await findCharge(db, ref);
  const isSame = ref.merchantId === merchantId && charge?.orderRef === orderRef && (id ?? ref.id) === ref.id;
  if (isSame) return ref;
  throw new CommandError(
    `${address} belongs to charge ${ref.id} of merchant ${ref.merchantId} already (order ${charge?.orderRef ?? "without a reference"}): there is nothing to adopt`,
  );
}

/**
 * The key and index of an address without a charge: of an index gap, else by derivation from the xpub.
 *
 * @throws CommandError if the xpub does not derive it.
 */
export async function issuedAt({ db, config }: AdoptingContext, address: string): Promise<Issued> {
  const { accountXpub: xpub } = config.addresses;
  const bytes = addressBytes(address);
  const [entry] = await findOwners(db, [bytes]);
  const first = await findNextIndex(db, xpub);
  const index = entry ? Number(entry.index) : await findIndex(xpub, address, { first, count: GAP });
  if (index === undefined)
    throw new CommandError(
      `${address} is none of the first ${first + GAP} addresses of ACCOUNT_XPUB: check the address and the xpub; if both are right, raise next_index in account_keys above its index`,
    );
  if (deriveReceiveAddress(parseAccountXpub(xpub), index) !== address)
    throw new CommandError(
      `address_directory has ${address} at index ${index}, which derives to another address: run \`daric doctor\``,
    );
  const accountKeyId =
    entry?.accountKeyId ?? (await ensureAccountKey(db, { id: idOf("accountKey", uuidv7()), xpub }));
  return { accountKeyId, index, address, bytes };
}

/** Creates the charge, and writes it into the audit log. */
export async function adoptOrder(
  context: Parameters<typeof adoptAddress>[0],
  order: AdoptionOrder,
  issued: Issued,
): Promise<ChargeRef> {
  const { merchantId, id, orderRef, currency, amount, by } = order;
  const settlementAccountId = await settlementAccountOf(context.db, order);
  const { address, index } = issued;
  const after = { address, index, orderRef, currency, amount: amount && formatAmount(amount) };
  const created = await adoptAddress(context, {
    issued,
    id,
    request: {
      merchantId,
      orderRef,
      currency,
      amount,
      settlementAccountId,
      apiKeyId: null,
      fiatCurrency: null,
      fiatAmount: null,
      customerRef: null,
      label: null,
      successUrl: null,
      cancelUrl: null,
      metadata: null,
    },
    record: (tx, chargeId) =>
      insertAuditEntry(tx, {
        actor: by,
        action: "adopt",
        subject: `charge ${chargeId}`,
        before: null,
        after,
        reason: `order ${orderRef} was lost in a restore`,
        merchantId,
      }),
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "EXPECTED_AMOUNT_REQUIRED") throw error;
    throw new CommandError("this merchant's payers pay the fee: name the price of the order with --amount");
  });
  return { merchantId, id: created.id };
}

async function settlementAccountOf(db: Database, { merchantId, settlementAccount }: AdoptionOrder) {
  if (settlementAccount === undefined) return requireDefaultSettlementAccount(db, merchantId);
  const id = parseId("settlementAccount", settlementAccount);
  if (id === undefined) throw new ApiError("SETTLEMENT_ACCOUNT_NOT_FOUND");
  return requireSettlementAccount(db, { merchantId, id });
}
