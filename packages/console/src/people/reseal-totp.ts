import type { Queryable } from "@daric/postgres/sql";
import { readSealedTotp, replaceTotp } from "./person-store.ts";
import { openTotp, sealTotp } from "./totp.ts";

/**
 * Seals the secrets of authenticator apps under the new master key, and returns how many. People whose secret opens
 * under no key are listed.
 */
export async function resealTotp(
  db: Queryable,
  { masterKey, previousMasterKey }: { readonly masterKey: Buffer; readonly previousMasterKey: Buffer },
): Promise<{ readonly resealed: number; readonly lost: readonly string[] }> {
  const lost: string[] = [];
  let resealed = 0;
  for (const { id, sealed } of await readSealedTotp(db)) {
    try {
      openTotp([masterKey], id, sealed);
    } catch {
      try {
        const anew = sealTotp(masterKey, id, openTotp([previousMasterKey], id, sealed));
        await replaceTotp(db, { id, sealed, anew });
        resealed += 1;
      } catch {
        lost.push(id);
      }
    }
  }
  return { resealed, lost };
}
