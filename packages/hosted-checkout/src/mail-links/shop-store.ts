import type { MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** A merchant, as the pages behind links in its mails show it. */
export type MailingShop = {
  readonly name: string;
  readonly accentColor: string;
  readonly languages: readonly string[] | null;
  readonly supportEmail: string | null;
};

export async function findMailingShop(
  db: Queryable,
  merchantId: MerchantId,
): Promise<MailingShop | undefined> {
  return maybeOne(
    await db.query<MailingShop>(sql`
      select name, accent_color as "accentColor", checkout_languages as languages, support_email as "supportEmail"
      from merchants where id = ${merchantId}`),
  );
}
