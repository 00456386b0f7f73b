import { minIdAt } from "@daric/charges/min-id";
import { chargeMachine } from "@daric/domain/charge";
import type { MerchantId, PaymentLinkId } from "@daric/domain/ids";
import type { ClickCounts, LinkState, Places } from "@daric/domain/payment-link";
import { literals, one, type Queryable, quick, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { openPlaces, paidPlaces } from "./place-store.ts";

const DAY_MS = 86_400_000;

/** The condition that an order waits for money until its expiry. */
const hasYetToExpire: Sql = sql`
  status = ${literals(chargeMachine.initial)} and expires_at > greatest(statement_timestamp(), (select max(time) from scan_cursors))`;

/** A locked link. `now` is this transaction's time. */
export type LockedLink = LinkState & { readonly id: PaymentLinkId; readonly now: Date };

/** Locks these links until the transaction ends, in a fixed order: clicks on one link count one after another. */
export async function lockLinks(
  tx: Transaction,
  merchantId: MerchantId,
  linkIds: readonly PaymentLinkId[],
): Promise<Map<PaymentLinkId, LockedLink>> {
  const rows = await tx.query<LockedLink>(sql`
    select link.id, link.is_active as "isActive", link.closed_at as "closedAt", link.expires_at as "expiresAt",
      link.max_payments as "maxPayments", now() as now
    from payment_links link
    where link.merchant_id = ${merchantId} and link.id = any(${linkIds}::uuid[])
    order by link.id for no key update`);
  return new Map(rows.map((link) => [link.id, link]));
}

/** A link's clicks so far: its counts but those of clients, these by client, and the clicks that have an order. */
export type KnownClicks = {
  readonly counts: Omit<ClickCounts, "openOfClient">;
  readonly places: Places;
  readonly openOfClients: ReadonlyMap<string, number>;
  readonly attempts: ReadonlySet<string>;
};

/** Reads the clicks of a locked link so far. Places are counted where there is a limit. */
export async function readClicks(
  tx: Transaction,
  { merchantId, link }: { merchantId: MerchantId; link: LockedLink },
  { clients, attempts }: { clients: readonly Buffer[]; attempts: readonly string[] },
): Promise<KnownClicks> {
  const dayBefore = minIdAt(new Date(link.now.getTime() - DAY_MS));
  const place = { merchantId, linkId: sql`${link.id}::uuid`, maxPayments: sql`${link.maxPayments}::integer` };
  const counted = (count: Sql) => (link.maxPayments === null ? sql`0::bigint` : count);
  const row = one(
    await tx.query<Record<"openOfLink" | "openOfMerchant" | "newOfLink" | "paid" | "open", bigint>>(sql`
      select
        (${openOf(merchantId, sql`payment_link_id = ${link.id}`)}) as "openOfLink",
        (${openOf(merchantId, sql`payment_link_id is not null`)}) as "openOfMerchant",
        (select count(*) from deposit_addresses
          where merchant_id = ${merchantId} and payment_link_id = ${link.id} and id >= ${dayBefore}) as "newOfLink",
        ${counted(paidPlaces(place))} as paid, ${counted(openPlaces(place))} as open`),
  );
  const ofClients = await tx.query<{ client: Buffer; open: bigint }>(sql`
    select click_client as client, count(*) as open from deposit_addresses
    where merchant_id = ${merchantId} and click_client = any(${clients}::bytea[]) and ${hasYetToExpire}
    group by click_client`);
  return {
    counts: {
      openOfLink: Number(row.openOfLink),
      openOfMerchant: Number(row.openOfMerchant),
      newOfLink: Number(row.newOfLink),
    },
    places: { paid: Number(row.paid), open: Number(row.open) },
    openOfClients: new Map(ofClients.map(({ client, open }) => [client.toString("hex"), Number(open)])),
    attempts: new Set(await readAttempts(tx, merchantId, attempts)),
  };
}

function openOf(merchantId: MerchantId, condition: Sql): Sql {
  return sql`
    select count(*) from deposit_addresses
    where merchant_id = ${merchantId} and payment_link_id is not null and ${hasYetToExpire} and ${condition}`;
}

/** The condition that the order of a click still answers the same click: it can be paid, or is. */
const isLive: Sql = sql`(paid_at is not null or accepted_at is not null or ${hasYetToExpire})`;

async function readAttempts(
  tx: Transaction,
  merchantId: MerchantId,
  attempts: readonly string[],
): Promise<string[]> {
  if (attempts.length === 0) return [];
  const rows = await tx.query<{ attempt: string }>(sql`
    select distinct click_attempt as attempt from deposit_addresses
    where merchant_id = ${merchantId} and click_attempt = any(${attempts}::text[]) and ${isLive}`);
  return rows.map(({ attempt }) => attempt);
}

/** The order of a click, as its payer needs it. */
export type ClickedOrder = { readonly checkoutToken: string; readonly orderRef: string | null };

/** The order that this click has made, while it can be paid or is: there is one at most, and one index finds it. */
export async function findClickedOrder(
  db: Queryable,
  merchantId: MerchantId,
  attempt: string,
): Promise<ClickedOrder | undefined> {
  const [order] = await db.query<ClickedOrder>(
    quick(sql`
      select checkout_token as "checkoutToken", order_ref as "orderRef" from deposit_addresses
      where merchant_id = ${merchantId} and click_attempt = ${attempt} and ${isLive}`),
  );
  return order;
}
