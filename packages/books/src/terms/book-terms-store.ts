import type { FiatCurrency } from "@daric/domain/fiat";
import type { MerchantId } from "@daric/domain/ids";
import type { AccountCodes } from "@daric/domain/journal-account";
import { one, type Queryable, sql } from "@daric/postgres/sql";

/** How a merchant keeps its books, and its names on papers. */
export type BookTerms = {
  readonly name: string;
  readonly legalName: string | null;
  readonly legalAddress: string | null;
  readonly taxId: string | null;
  /** IANA */
  readonly timeZone: string;
  readonly bookCurrency: FiatCurrency;
  readonly accountCodes: AccountCodes;
};

export async function getBookTerms(db: Queryable, merchantId: MerchantId): Promise<BookTerms> {
  return one(
    await db.query<BookTerms>(sql`
      select name, legal_name as "legalName", legal_address as "legalAddress", tax_id as "taxId", time_zone as "timeZone",
        book_currency as "bookCurrency", account_codes as "accountCodes"
      from merchants where id = ${merchantId}`),
  );
}
