import type { MerchantId, SettlementAccountId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** The destination of a merchant's money. A disabled account takes no new charges. */
export type SettlementAccount = {
  readonly id: SettlementAccountId;
  readonly merchantId: MerchantId;
  readonly chain: "tron";
  readonly address: string;
  readonly label: string | null;
  readonly status: "active" | "disabled";
  readonly isDefault: boolean;
  /** the keys that may move its money, as confirmed: `own`, or a digest; null if no node was queried */
  readonly permissions: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const columns = sql`
  id, merchant_id as "merchantId", chain, address, label, status, is_default as "isDefault", permissions,
  created_at as "createdAt", updated_at as "updatedAt"`;

/**
 * Inserts an account, or enables the existing one of this address; an absent label is kept. It becomes the default
 * if there is none. The caller holds the merchant's row.
 */
export async function upsertSettlementAccount(
  tx: Transaction,
  account: {
    id: SettlementAccountId;
    merchantId: MerchantId;
    address: string;
    label: string | null | undefined;
    /** kept if undefined */
    permissions: string | undefined;
  },
): Promise<SettlementAccount> {
  const { id, merchantId, address, label, permissions } = account;
  const becomesDefault = !(await hasDefault(tx, merchantId));
  return one(
    await tx.query<SettlementAccount>(sql`
      insert into settlement_accounts as account (id, merchant_id, address, label, is_default, permissions)
      values (${id}, ${merchantId}, ${address}, ${label ?? null}, ${becomesDefault}, ${permissions ?? null})
      on conflict (merchant_id, address) do update set
        label = case when ${label !== undefined}::boolean then excluded.label else account.label end,
        status = 'active', permissions = coalesce(excluded.permissions, account.permissions),
        is_default = account.is_default or excluded.is_default,
        updated_at = excluded.updated_at
      returning ${columns}`),
  );
}

async function hasDefault(tx: Transaction, merchantId: MerchantId): Promise<boolean> {
  const rows = await tx.query<{ hasDefault: boolean }>(sql`
    select exists (select from settlement_accounts where merchant_id = ${merchantId} and is_default) as "hasDefault"`);
  return one(rows).hasDefault;
}

export async function findSettlementAccount(
  db: Queryable,
  input: { id: SettlementAccountId; merchantId: MerchantId },
): Promise<SettlementAccount | undefined> {
  return maybeOne(
    await db.query<SettlementAccount>(sql`
      select ${columns} from settlement_accounts where id = ${input.id} and merchant_id = ${input.merchantId}`),
  );
}

/** Operators alone add accounts, at the command line. */
const MAX_ACCOUNTS = 1_000;

/** The accounts of a merchant: its default, then the newest first. */
export async function listSettlementAccounts(
  db: Queryable,
  merchantId: MerchantId,
): Promise<SettlementAccount[]> {
  return db.query<SettlementAccount>(sql`
    select ${columns} from settlement_accounts where merchant_id = ${merchantId}
    order by is_default desc, created_at desc, id desc limit ${MAX_ACCOUNTS}`);
}

export async function disableAccount(
  tx: Transaction,
  input: { id: SettlementAccountId; merchantId: MerchantId },
): Promise<SettlementAccount> {
  return one(
    await tx.query<SettlementAccount>(sql`
      update settlement_accounts set status = 'disabled', is_default = false, updated_at = now()
      where merchant_id = ${input.merchantId} and id = ${input.id} returning ${columns}`),
  );
}

/**
 * Moves the default to this account. The caller holds the merchant's row and has checked that the account is
 * active.
 */
export async function moveDefault(
  tx: Transaction,
  input: { id: SettlementAccountId; merchantId: MerchantId },
): Promise<SettlementAccount> {
  await tx.query(sql`
    update settlement_accounts set is_default = false, updated_at = now()
    where merchant_id = ${input.merchantId} and is_default and id <> ${input.id}`);
  return one(
    await tx.query<SettlementAccount>(sql`
      update settlement_accounts set is_default = true, updated_at = now()
      where merchant_id = ${input.merchantId} and id = ${input.id} returning ${columns}`),
  );
}
