import type { KeyPair } from "@daric/tron/signature";
import { TronWeb, type Types } from "tronweb";
import type { DevchainClient } from "./devchain-client.ts";

const SUN = 1_000_000;

/**
 * Stakes TRX for energy on a separate account, as the documentation instructs an operator. Its active permission 2
 * lets the key of `delegate` (base58) delegate and undelegate, and nothing else.
 */
export async function stakeOn(
  devchain: Pick<DevchainClient, "control" | "mine" | "tronWeb">,
  { key, trx, delegate }: { key: KeyPair; trx: number; delegate: string },
): Promise<void> {
  const address = TronWeb.address.fromHex(key.address);
  const client = devchain.tronWeb(key.privateKey);
  await devchain.control("faucet", { address, trx: String(trx + 200) });
  await devchain.mine(1);
  await freezeAndPermit(client, { address, trx, delegate }, async (build) => {
    await client.trx.sendRawTransaction(await client.trx.sign(await build()));
    await devchain.mine(1);
  });
}

/** Builds the two transactions that make a stake account, for any chain. */
export async function freezeAndPermit(
  { transactionBuilder: builder }: TronWeb,
  { address, trx, delegate }: { address: string; trx: number; delegate: string },
  carryOut: (build: () => Promise<Types.Transaction>) => Promise<void>,
): Promise<void> {
  const operations = Buffer.alloc(32);
  for (const type of [57, 58]) operations[type >> 3] = (operations[type >> 3] ?? 0) | (1 << (type & 7));
  await carryOut(() => builder.freezeBalanceV2(trx * SUN, "ENERGY", address));
  const owner = { type: 0, permission_name: "owner", threshold: 1, keys: [{ address, weight: 1 }] };
  const active = {
    type: 2,
    permission_name: "delegations",
    threshold: 1,
    keys: [{ address: delegate, weight: 1 }],
    operations: operations.toString("hex"),
  };
  await carryOut(
    async () =>
      (await builder.updateAccountPermissions(address, owner, undefined, [active])) as Types.Transaction,
  );
}
