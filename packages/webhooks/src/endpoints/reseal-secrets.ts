import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { openSecret, type SecretPlace, sealSecret } from "../sending/seal-secret.ts";
import { readSealedSecrets, replaceSealedSecrets, type SealedRow } from "./reseal-store.ts";

/** The new master key, and the one before. */
export type MasterKeys = { readonly masterKey: Buffer; readonly previousMasterKey: Buffer };

/** Endpoints by what became of them. `lost` open under neither key. */
export type Resealed = { readonly resealed: number; readonly lost: readonly string[] };

/**
 * Seals the webhook secrets of a merchant under the new master key. It may run again, and beside a service that has both keys.
 */
export async function resealWebhookSecrets(
  db: Queryable,
  keys: MasterKeys,
  merchantId: MerchantId,
): Promise<Resealed> {
  const lost: string[] = [];
  let resealed = 0;
  for (const row of await readSealedSecrets(db, merchantId)) {
    try {
      const anew = resealRow(keys, merchantId, row);
      if (anew === undefined) continue;
      await replaceSealedSecrets(db, merchantId, { row, ...anew });
      resealed += 1;
    } catch {
      lost.push(row.endpointId);
    }
  }
  return { resealed, lost };
}

/** Undefined if both secrets are under the new key already. @throws Error if one opens under neither key. */
function resealRow(
  { masterKey, previousMasterKey }: MasterKeys,
  merchantId: MerchantId,
  { endpointId, generation, sealed, previous }: SealedRow,
): { sealed: Buffer; previous: Buffer | null } | undefined {
  const anew = (column: SecretPlace["column"], text: Buffer): Buffer => {
    const place = { endpointId, merchantId, column, generation };
    try {
      openSecret([masterKey], place, text);
      return text;
    } catch {
      return sealSecret(masterKey, place, openSecret([previousMasterKey], place, text));
    }
  };
  const done = {
    sealed: anew("secret_ciphertext", sealed),
    previous: previous && anew("previous_secret_ciphertext", previous),
  };
  return done.sealed === sealed && done.previous === previous ? undefined : done;
}
