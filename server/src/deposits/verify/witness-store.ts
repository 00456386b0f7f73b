import { type Queryable, sql } from "@daric/postgres/sql";

/** The number of each witness's last block in a range of our chain. */
export async function listLastBlocks(
  db: Queryable,
  { network, above, to }: { readonly network: string; readonly above: number; readonly to: number },
): Promise<readonly number[]> {
  const rows = await db.query<{ number: bigint }>(sql`
    select max(number) as number from blocks
    where network = ${network} and number > ${above} and number <= ${to} and orphaned_at is null and witness is not null
    group by witness`);
  return rows.map(({ number }) => Number(number));
}
