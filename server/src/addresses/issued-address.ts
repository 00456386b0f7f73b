import type { AccountKeyId } from "../domain/ids.ts";

/** An address to issue: nobody else has it, or gets it. */
export type IssuedAddress = {
  readonly accountKeyId: AccountKeyId;
  readonly index: number;
  readonly address: string;
  /** its 20 bytes */
  readonly hash: Buffer;
};
