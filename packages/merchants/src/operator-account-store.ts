import { type Queryable, sql } from "@daric/postgres/sql";

/** The accounts of the operator, in base58. None may be a merchant's. */
export type OperatorAccounts = {
  /** the stake accounts, as the signer reports them */
  readonly stakeAddresses: readonly string[];
  /** the wallets for the operator's fees in the signer's list: the one in force, and those that will be */
  readonly operatorWallets: readonly string[];
};

export async function findOperatorAccounts(db: Queryable): Promise<OperatorAccounts> {
  const stakes = await db.query<{ address: string | null }>(
    sql`select state ->> 'stakeAddress' as address from signer_state`,
  );
  const wallets = await db.query<{ address: string | null }>(sql`
    select address from signer_destinations
    where merchant_id = 'operator' and counter >= coalesce((
      select max(counter) from signer_destinations where merchant_id = 'operator' and acts_from <= now()), 0)`);
  const known = (rows: readonly { address: string | null }[]) => rows.flatMap(({ address }) => address ?? []);
  return { stakeAddresses: known(stakes), operatorWallets: known(wallets) };
}
