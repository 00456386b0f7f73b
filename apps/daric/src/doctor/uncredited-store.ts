import { findCharged } from "@daric/addresses/directory-store";
import type { MerchantId } from "@daric/domain/ids";
import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { hexToAddress } from "@daric/tron/address";
import type { CheckScope } from "./deposit-check-store.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";

type Kept = {
  readonly merchantId: MerchantId;
  readonly bytes: Buffer;
  readonly txId: string;
  readonly source: string;
  readonly eventIndex: number;
};

/**
 * Transfers to the address of a charge that came before the charge existed (see `daric adopt`) and are no deposit
 * yet. A transfer whose block left our chain counts once it is read again.
 */
export async function findUncreditedTransfers(
  db: Queryable,
  { network, lists }: { readonly network: string; readonly lists: readonly CheckScope[] },
): Promise<Violation[]> {
  const found = await db.query<Kept>(sql`
    select owner.merchant_id as "merchantId", kept.address as bytes, kept.tx_id as "txId", kept.source,
      kept.event_index as "eventIndex"
    from unattributed_transfers kept join address_directory owner on owner.address = kept.address
    where kept.network = ${network} and owner.merchant_id is not null
      and not exists (select from blocks where id = kept.block_id and orphaned_at is not null)
    order by kept.tx_id, kept.event_index`);
  const charged = await findCharged(
    db,
    found.map(({ bytes }) => bytes),
  );
  // A reserved address has a merchant before it has a charge.
  const kept = found.filter(({ bytes }) => charged.has(bytes.toString("hex")));
  if (kept.length === 0) return [];
  const credited = new Set<string>();
  for (const { merchantIds } of lists) {
    const own = kept.filter(({ merchantId }) => merchantIds.includes(merchantId));
    for (const id of await findCredited(db, merchantIds, own.map(depositIdOn(network)))) credited.add(id);
  }
  const missing = kept.filter((transfer) => !credited.has(depositIdOn(network)(transfer)));
  if (missing.length === 0) return [];
  return [
    {
      invariant: "I19",
      what: "transfer to a charge's address that was not credited",
      count: missing.length,
      samples: missing.slice(0, MAX_SAMPLES).map(({ txId }) => txId),
    },
  ];
}

function depositIdOn(network: string): (transfer: Kept) => string {
  return ({ txId, source, eventIndex, bytes }) =>
    derivedId("deposit", network, txId, source, eventIndex, hexToAddress(`41${bytes.toString("hex")}`));
}

async function findCredited(
  db: Queryable,
  merchantIds: readonly MerchantId[],
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<{ id: string }>(sql`
    select id from deposits where merchant_id ${oneOf(merchantIds)} and id = any(${ids}::uuid[])`);
  return rows.map(({ id }) => id);
}
