import { type Queryable, sql } from "@daric/postgres/sql";

/** The signer's own state; undefined before its first start. */
export type SignerState = {
  readonly seenAt: Date | null;
  /** by the database's clock */
  readonly ageSeconds: number | null;
  readonly state: {
    readonly version?: string;
    readonly network?: string;
    readonly gasAddress?: string;
    readonly stakeAddress?: string;
    readonly isPaused?: boolean;
  };
};

export async function findSignerState(db: Queryable): Promise<SignerState | undefined> {
  const rows = await db.query<SignerState>(sql`
    select seen_at as "seenAt", extract(epoch from now() - seen_at)::float8 as "ageSeconds", state from signer_state`);
  return rows[0];
}
