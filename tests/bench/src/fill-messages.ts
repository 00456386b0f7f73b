import { sealCustomerEmail } from "@daric/charges/customer-email";
import { rightsMac } from "@daric/console/people/rights";
import { idOf } from "@daric/domain/ids";
import type pg from "pg";
import type { Program } from "./programs.ts";
import { SETTINGS } from "./settings.ts";

/** The settings of a service that mails to this server, as fast as messages come. */
export function mailVariables({ port }: Pick<Program, "port">): Record<string, string> {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
    MAIL_FROM: "pay@pay.example",
    MAIL_PER_MINUTE: "60000",
  };
}

/** Gives each order of these merchants the address of a payer who has no other order, as the API seals it. */
export async function fillPayers(db: pg.Client, merchantIds: readonly string[]): Promise<void> {
  const { rows } = await db.query(
    'select id, merchant_id as "merchantId", checkout_token as "checkoutToken" from deposit_addresses where merchant_id = any($1)',
    [merchantIds],
  );
  const masterKey = Buffer.from(SETTINGS.DARIC_MASTER_KEY, "hex");
  for (const order of rows) {
    const email = { email: `${order.id}@home.example`, source: "api", language: null, later: null } as const;
    await db.query("update deposit_addresses set customer_email = $3 where merchant_id = $1 and id = $2", [
      order.merchantId,
      order.id,
      sealCustomerEmail(masterKey, order, email),
    ]);
  }
}

/** Makes one person the owner of these merchants. By default an owner is mailed 20 paid orders of a merchant in a day, then by the hour. */
export async function addOwner(db: pg.Client, merchantIds: readonly string[]): Promise<void> {
  const person = await db.query<{ id: string }>(
    "insert into people (id, email, name, password_hash) values (uuidv7(), 'owner@shop.example', 'Owner', 'none') returning id",
  );
  const id = idOf("person", person.rows[0]?.id ?? "");
  await db.query(
    "insert into memberships (merchant_id, person_id, role) select merchant_id, $2, 'owner' from unnest($1::uuid[]) merchant_id",
    [merchantIds, id],
  );
  const memberships = merchantIds.map((merchantId) => ({
    merchantId: idOf("merchant", merchantId),
    role: "owner" as const,
  }));
  const rights = { isOperator: false, hasTotp: false, memberships, passkeyKeys: [] };
  const mac = rightsMac(Buffer.from(SETTINGS.DARIC_INTEGRITY_KEY, "hex"), id, rights);
  await db.query("update people set rights_mac = $2 where id = $1", [id, mac]);
}

/** The messages of these merchants that were sent and those that are due, their events of paid orders, and sent summaries of an hour. */
export async function countMailed(
  db: pg.Client,
  merchantIds: readonly string[],
): Promise<Record<"sent" | "waiting" | "paidOrders" | "summaries", number>> {
  const { rows } = await db.query(
    `select count(sent_at)::int as sent, count(sent_at) filter (where kind = 'paid_hour')::int as summaries,
       count(*) filter (where ended_at is null and kind <> 'paid_hour')::int as waiting,
       (select count(*)::int from webhook_events where type = 'order.paid' and merchant_id = any($1)) as "paidOrders"
     from messages where merchant_id = any($1)`,
    [merchantIds],
  );
  return rows[0];
}
