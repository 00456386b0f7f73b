import type { MerchantId, PersonId, WalletRequestId } from "@daric/domain/ids";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { follows } from "@daric/totals/list-store";

/** A wallet that an owner asks for. It counts once the operator added it as a settlement account. */
export type WalletRequest = {
  readonly id: WalletRequestId;
  readonly merchantId: MerchantId;
  readonly address: string;
  readonly label: string | null;
  /** the keys that may move the wallet, as the person confirmed them; null for requests of earlier versions */
  readonly permissions: string | null;
  readonly personId: PersonId;
  readonly createdAt: Date;
  readonly withdrawnAt: Date | null;
  /** the merchant has an active settlement account with this address */
  readonly isAdded: boolean;
};

const columns = sql`
  id, merchant_id as "merchantId", address, label, permissions, person_id as "personId", created_at as "createdAt",
  withdrawn_at as "withdrawnAt"`;

type Part = { readonly limit: number; readonly after?: WalletRequestId | undefined };

/** The requests after one of them, newest first. */
export async function listWalletRequests(
  db: Queryable,
  merchantId: MerchantId,
  { limit, after }: Part,
): Promise<WalletRequest[]> {
  return db.query<WalletRequest>(sql`
    select ${columns}, exists (
        select from settlement_accounts account
        where account.merchant_id = ${merchantId} and account.address = request.address and account.status = 'active'
      ) as "isAdded"
    from wallet_requests request
    where merchant_id = ${merchantId}
      ${follows(after, { merchantId, table: sql`wallet_requests`, row: sql`request` })}
    order by created_at desc, id desc limit ${limit}`);
}

type NewWalletRequest = Pick<
  WalletRequest,
  "id" | "merchantId" | "address" | "label" | "permissions" | "personId"
>;

export async function insertWalletRequest(
  tx: Transaction,
  request: NewWalletRequest,
): Promise<WalletRequest> {
  const { id, merchantId, address, label, permissions, personId } = request;
  return one(
    await tx.query<WalletRequest>(sql`
      insert into wallet_requests (merchant_id, id, address, label, permissions, person_id)
      values (${merchantId}, ${id}, ${address}, ${label}, ${permissions}, ${personId}) returning ${columns}, false as "isAdded"`),
  );
}

/** Undefined when the merchant has no such request that waits. */
export async function withdrawWalletRequest(
  tx: Transaction,
  { merchantId, id }: Pick<WalletRequest, "merchantId" | "id">,
): Promise<WalletRequest | undefined> {
  return maybeOne(
    await tx.query<WalletRequest>(sql`
      update wallet_requests set withdrawn_at = now()
      where merchant_id = ${merchantId} and id = ${id} and withdrawn_at is null
      returning ${columns}, false as "isAdded"`),
  );
}
