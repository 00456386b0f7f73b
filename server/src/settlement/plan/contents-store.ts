import { type Queryable, sql } from "@daric/postgres/sql";
import { type Currency, perCurrency } from "../../domain/asset.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import { amountIn } from "../../domain/money.ts";
import type { HeldContent } from "../../domain/sweep-price.ts";
import { globally } from "../../runtime/global-statements.ts";

/** An address with confirmed money by the ledger, rests of top-ups and unexplained money included. */
export type AddressContent = HeldContent & {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  /** the xpub that its key is derived from, and the last step of the path */
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/**
 * The addresses of all merchants that hold money of a merchant or of an unknown source, at most `limit`. Those with most
 * tokens come first, then those with most TRX. An address that ever held TRX is activated.
 */
export async function listContents(db: Queryable, limit: number): Promise<AddressContent[]> {
  const rows = await db.query<Omit<AddressContent, "held"> & { units: Partial<Record<Currency, string>> }>(
    globally(
      "contents-by-hand",
      sql`
        select a.merchant_id as "merchantId", a.id as "chargeId", a.address, key.xpub, a.derivation_index as "derivationIndex",
          content.units, content.is_activated as "isActivated"
        from (
          select merchant_id, deposit_address_id, bool_or(currency = 'TRX') as is_activated,
            jsonb_object_agg(currency, greatest(units + gas_units + suspense_units, 0)::text) as units,
            coalesce(sum(units) filter (where currency <> 'TRX'), 0) as tokens, sum(units) as all_units
          from address_contents group by 1, 2 having sum(units + suspense_units) > 0
          order by tokens desc, all_units desc, deposit_address_id limit ${limit}
        ) content
        join deposit_addresses a on a.merchant_id = content.merchant_id and a.id = content.deposit_address_id
        join account_keys key on key.id = a.account_key_id
        order by content.tokens desc, content.all_units desc, a.id`,
    ),
  );
  return rows.map(({ units, ...row }) => ({
    ...row,
    held: perCurrency((currency) => amountIn(currency, BigInt(units[currency] ?? "0"))),
  }));
}
