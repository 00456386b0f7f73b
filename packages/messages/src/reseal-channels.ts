import type { Queryable } from "@daric/postgres/sql";
import { openChannel, sealChannel } from "./channel-address.ts";
import { readSealedChannels, replaceSealedChannel } from "./channel-store.ts";

/**
 * Seals the chats of members under the new master key, and returns how many. Those that open under neither key are listed. It may run
 * again, and beside a service that has both keys.
 */
export async function resealChannels(
  db: Queryable,
  { masterKey, previousMasterKey }: { readonly masterKey: Buffer; readonly previousMasterKey: Buffer },
): Promise<{ readonly resealed: number; readonly lost: readonly string[] }> {
  const lost: string[] = [];
  let resealed = 0;
  for (const channel of await readSealedChannels(db)) {
    try {
      openChannel([masterKey], channel, channel.sealed);
    } catch {
      try {
        const anew = sealChannel(
          masterKey,
          channel,
          openChannel([previousMasterKey], channel, channel.sealed),
        );
        await replaceSealedChannel(db, channel, anew);
        resealed += 1;
      } catch {
        lost.push(channel.id);
      }
    }
  }
  return { resealed, lost };
}
