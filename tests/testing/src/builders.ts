import { randomBytes } from "node:crypto";
import { type ApiScope, apiScopes } from "@daric/domain/api-scope";
import { type ApiKeyId, idOf, type MerchantId, type SettlementAccountId } from "@daric/domain/ids";
import { hashApiKey, newApiKey } from "@daric/merchants/api-key";
import { insertApiKey } from "@daric/merchants/api-key-store";
import { insertLogo } from "@daric/merchants/logo-store";
import { defaultMerchantTerms, type MerchantTerms } from "@daric/merchants/merchant-terms";
import { readPicture } from "@daric/merchants/picture";
import { insertMerchant, type Merchant } from "@daric/merchants/store";
import { one, type Queryable, sql } from "@daric/postgres/sql";
import { pepperIdOf } from "@daric/runtime/mac";
import { hexToAddress } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import type { TestContext } from "./context.ts";
import { ownersDatabase } from "./owners-database.ts";

export function aMerchant(db: Queryable, overrides: Partial<MerchantTerms> = {}): Promise<Merchant> {
  return insertMerchant(ownersDatabase(db), {
    ...defaultMerchantTerms,
    name: "Shop",
    ...overrides,
    id: idOf("merchant", uuidv7()),
  });
}

/** A random valid TRON address. */
export function anAddress(): string {
  return hexToAddress(`41${randomBytes(20).toString("hex")}`);
}

/** An active settlement account; the default one if the merchant has none. */
export async function aSettlementAccount(
  db: Queryable,
  merchantId: MerchantId,
  overrides: { address?: string; label?: string; status?: "active" | "disabled"; isDefault?: boolean } = {},
): Promise<{ id: SettlementAccountId; address: string; isDefault: boolean }> {
  const { address = anAddress(), label = null, status = "active", isDefault = null } = overrides;
  return one(
    await ownersDatabase(db).query<{ id: SettlementAccountId; address: string; isDefault: boolean }>(sql`
      insert into settlement_accounts (id, merchant_id, address, label, status, is_default)
      values (${uuidv7()}, ${merchantId}, ${address}, ${label}, ${status},
        coalesce(${isDefault}::boolean, ${status} = 'active' and not exists (
          select from settlement_accounts where merchant_id = ${merchantId} and is_default)))
      returning id, address, is_default as "isDefault"`),
  );
}

/** A key with all scopes in the context's environment. `key` is the value of X-Api-Key. */
export async function anApiKey(
  context: Pick<TestContext, "db" | "config">,
  merchantId: MerchantId,
  overrides: { scopes?: readonly ApiScope[]; name?: string; expiresInMs?: number } = {},
): Promise<{ id: ApiKeyId; key: string }> {
  const { key, lookupId } = newApiKey(context.config.merchants.keyPepper, context.config.environment);
  const secretHash = hashApiKey(context.config.merchants.keyPepper, key);
  const row = await ownersDatabase(context.db).transaction((tx) =>
    insertApiKey(tx, {
      id: idOf("apiKey", uuidv7()),
      merchantId,
      lookupId,
      secretHash,
      pepperId: pepperIdOf(context.config.merchants.keyPepper),
      name: overrides.name ?? null,
      scopes: overrides.scopes ?? apiScopes,
      expiresInMs: overrides.expiresInMs ?? null,
    }),
  );
  return { id: row.id, key };
}

/** A PNG header that claims this width and height. */
export function aPng(side = 44): Buffer {
  const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x06\0\0\0", "latin1");
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  return png;
}

/** Stores a logo and returns its id. */
export async function aLogo(db: Queryable): Promise<string> {
  const picture = readPicture(aPng());
  if ("fault" in picture) throw new Error(picture.fault);
  await insertLogo(ownersDatabase(db), picture);
  return picture.id;
}
