import type { AccountKeyId } from "../domain/ids.ts";

export type IssuedAddress = {
  readonly accountKeyId: AccountKeyId;
  readonly index: number;
  readonly address: string;
  /** its 20 bytes */
  readonly hash: Buffer;
};
