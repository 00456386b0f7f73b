import { type Queryable, sql } from "@daric/postgres/sql";
import { AccountXpubError, deriveOperatorAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { addressToHex } from "@daric/tron/address";

/** A seed, by the fingerprint of the account that addresses are issued under; its gas wallet in base58. */
export type KnownSeed = { readonly fingerprint: string; readonly gasAddress: string };

/** The seeds that addresses were issued under, the newest first. */
export async function listSeeds(db: Queryable): Promise<KnownSeed[]> {
  const rows = await db.query<{ xpub: string }>(sql`select xpub from account_keys order by id desc`);
  return rows.map(({ xpub }) => {
    const key = parseAccountXpub(xpub);
    return { fingerprint: key.fingerprint, gasAddress: deriveOperatorAddress(key, 0) };
  });
}

/** Derivation takes milliseconds, and an xpub has one gas wallet for ever. */
const known = new Map<string, string | undefined>();

/**
 * The gas wallets of the xpubs that addresses were issued under, in hex (`41…`). TRX from one of them to
 * an address of ours is a top-up. Its sender alone distinguishes a top-up from a payment, also after a restore.
 */
export async function findGasWallets(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ xpub: string }>(sql`select xpub from account_keys`);
  return new Set(rows.flatMap(({ xpub }) => gasWalletOf(xpub) ?? []));
}

/** A row with a damaged xpub has no gas wallet. */
function gasWalletOf(xpub: string): string | undefined {
  if (!known.has(xpub)) known.set(xpub, derive(xpub));
  return known.get(xpub);
}

function derive(xpub: string): string | undefined {
  try {
    return addressToHex(deriveOperatorAddress(parseAccountXpub(xpub), 0));
  } catch (error) {
    if (error instanceof AccountXpubError) return undefined;
    throw error;
  }
}
