import { type Queryable, sql } from "@daric/postgres/sql";

/** Accounts of the operator, in base58, that are no merchant's. */
export type OperatorAccounts = {
  /** what lends energy, as the signer says */
  readonly stakeAddresses: readonly string[];
  /** what takes fees by the signer's list: the entry that acts, and those that will */
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
