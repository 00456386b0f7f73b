import type { MerchantId, MessageChannelId } from "@daric/domain/ids";
import { openSealed, type SealPlace, seal } from "@daric/runtime/seal";

const FORMAT = 1;

type ChannelPlace = { readonly merchantId: MerchantId; readonly id: MessageChannelId };

/** Encrypts the number of a Telegram chat, or a URL, for storage. */
export function sealChannel(masterKey: Buffer, place: ChannelPlace, address: string): Buffer {
  return seal(masterKey, placeOf(place), address);
}

/**
 * The inverse of `sealChannel`.
 *
 * @throws Error under other keys, of another channel and of any changed byte.
 */
export function openChannel(masterKeys: readonly Buffer[], place: ChannelPlace, sealed: Buffer): string {
  return openSealed(masterKeys, placeOf(place), sealed);
}

function placeOf({ merchantId, id }: ChannelPlace): SealPlace {
  return { format: FORMAT, boundTo: `message_channels.sealed|${merchantId}|${id}` };
}
