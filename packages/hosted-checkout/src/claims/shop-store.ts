import type { Branding } from "@daric/domain/checkout";
import type { MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** The merchant behind a refund, as its payer sees it. */
export async function findPayersShop(db: Queryable, merchantId: MerchantId): Promise<Branding | undefined> {
  return maybeOne(
    await db.query<Branding>(sql`
      select name, logo_id as "logoId", accent_color as "accentColor", support_email as "supportEmail",
        support_url as "supportUrl", checkout_languages as languages, embed_origins as "embedOrigins"
      from merchants where id = ${merchantId}`),
  );
}
