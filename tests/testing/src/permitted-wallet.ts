import { addressToHex, hexToAddress } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import type { TestChain } from "./chain.ts";

/** The weights of keys by their addresses. */
type Keys = Readonly<Record<string, number>>;

/** The keys that act for a wallet: by its owner permission, and by its only active one, which has a threshold of 1. */
export type Permit = { readonly owner: Keys; readonly threshold?: number; readonly active?: Keys };

/** Every type of contract that a new account's active permission may send. */
const ALL_OPERATIONS = "7fff1fc0033ec307".padEnd(64, "0");

/** A funded wallet with the key of a phrase. `permit` changes its permissions in a solid block. */
export async function aPermittedWallet(
  { devchain, pay, mine }: Pick<TestChain, "devchain" | "pay" | "mine">,
  phrase: string,
): Promise<{ readonly address: string; permit(change: Permit): Promise<void> }> {
  const pair = keyPairFromPhrase(phrase);
  const address = hexToAddress(pair.address);
  await pay(address, { trx: "500" });
  await mine(2);
  const tronWeb = devchain.tronWeb(pair.privateKey);
  return {
    address,
    permit: async ({ owner, threshold = 1, active = { [address]: 1 } }) => {
      const keysOf = (keys: Keys) =>
        Object.entries(keys).map(([key, weight]) => ({ address: addressToHex(key), weight }));
      const built = await tronWeb.transactionBuilder.updateAccountPermissions(
        address,
        { type: 0, permission_name: "owner", threshold, keys: keysOf(owner) },
        undefined,
        [
          {
            ...{ type: 2, permission_name: "active0", threshold: 1 },
            ...{ operations: ALL_OPERATIONS, keys: keysOf(active) },
          },
        ],
      );
      const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built));
      if (sent.result !== true) throw new Error(`not taken: ${JSON.stringify(sent)}`);
      await mine(22);
    },
  };
}
