import type { Branding } from "@daric/domain/checkout";
import type { MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

type ShopRow = Branding & { readonly isSuspended: boolean };

/** The merchant behind a page, as the page shows it. */
export async function findShop(
  db: Queryable,
  merchantId: MerchantId,
): Promise<{ readonly merchant: Branding; readonly isSuspended: boolean } | undefined> {
  const row = maybeOne(
    await db.query<ShopRow>(sql`
      select name, logo_id as "logoId", accent_color as "accentColor", support_email as "supportEmail",
        support_url as "supportUrl", checkout_languages as "languages",
        embed_origins as "embedOrigins", suspended_at is not null as "isSuspended"
      from merchants where id = ${merchantId}`),
  );
  if (row === undefined) return undefined;
  const { isSuspended, ...merchant } = row;
  return { merchant, isSuspended };
}
