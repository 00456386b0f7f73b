import {
  type AccountXpub,
  deriveReceiveAddresses,
  parseAccountXpub,
  type ReceiveAddress,
} from "@daric/tron/account-xpub";
import type { ConfigOf } from "../runtime/setting.ts";
import type { chargeSettings } from "./settings.ts";

/** The addresses of one account key, and those of them that were derived and not asked for yet. */
export type ReceiveAddresses = {
  /**
   * Derives the addresses at `from` and the `count` - 1 indexes after it, and remembers them until `at` asks for them:
   * as many as two pools hold, oldest forgotten first.
   */
  deriveAhead(from: number, count: number): readonly ReceiveAddress[];
  /**
   * The address at `index` as the account key has it, whatever the database says. Costs 0.4 ms of one core, and
   * nothing where this process derived it ahead itself.
   */
  at(index: number): string;
};

/** Parses the account key once. A process has one of these for all that issue and for what fills the pool. */
export function createReceiveAddresses({
  charges,
}: {
  readonly charges: ConfigOf<typeof chargeSettings, "api">;
}): ReceiveAddresses {
  const account = parseAccountXpub(charges.accountXpub);
  const remembered = new Map<number, string>();
  return {
    deriveAhead: (from, count) => {
      const derived = deriveReceiveAddresses(account, from, count);
      for (const { index, address } of derived) remembered.set(index, address);
      forgetOldest(remembered, 2 * charges.addressPoolSize);
      return derived;
    },
    at: (index) => {
      const known = remembered.get(index);
      remembered.delete(index);
      return known ?? addressAt(account, index);
    },
  };
}

function addressAt(account: AccountXpub, index: number): string {
  const [derived] = deriveReceiveAddresses(account, index, 1);
  if (derived === undefined) throw new RangeError(`no receive address at index ${index}`);
  return derived.address;
}

function forgetOldest(remembered: Map<number, string>, maximum: number): void {
  for (const index of remembered.keys()) {
    if (remembered.size <= maximum) return;
    remembered.delete(index);
  }
}
