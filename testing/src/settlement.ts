import { sql } from "@daric/postgres/sql";
import { acquireLease } from "@daric/server/runtime/lease";
import { createWatch } from "@daric/server/settlement/watch";
import { createTurn } from "@daric/server/settlement/worker";
import { anEntry, aSigner, gasAddress, type TestSigner } from "../../signer/test/builders.ts";
import { signRequest } from "../../signer/src/sign-request.ts";
import { findPending, saveDestination, saveOutcome, saveState } from "../../signer/src/store.ts";
import { anAddress, aSettlementAccount } from "./builders.ts";
import { type Ledger, openLedger } from "./ledger.ts";

const MAX_ROUNDS = 400;

/** A chain, its books, a merchant with a wallet, and a signer whose list names it: all of them move when a test says so. */
export type SettlementStage = Ledger & {
  readonly signer: TestSigner;
  readonly wallet: string;
  readonly operatorWallet: string;
  /** the signer answers what it is asked */
  sign(): Promise<void>;
  /** one look of the settlement role */
  turn(): Promise<void>;
  /** a signer, a look of settlement, a block and a look of the watcher, until `isDone` */
  settleUntil(isDone: () => Promise<boolean>): Promise<void>;
  usdtOf(address: string): Promise<bigint>;
  trxOf(address: string): Promise<bigint>;
};

type StageOptions = {
  readonly environment?: Record<string, string>;
  readonly gasTrx?: string;
  readonly feeCeiling?: { readonly USDT: bigint; readonly TRX: bigint };
};

/** Opens it with a funded gas wallet, and with rates of 1 USD for USDT and 0.3 USD for TRX. */
export async function openSettlement({
  environment = {},
  gasTrx = "10000",
  feeCeiling = { USDT: 1_000_000_000n, TRX: 1_000_000_000n },
}: StageOptions = {}): Promise<SettlementStage> {
  const ledger = await openLedger(environment);
  const { chain, context, merchantId, close } = ledger;
  const { genesisId, usdtContract } = chain.network;
  const [wallet, operatorWallet] = [anAddress(), anAddress()];
  await aSettlementAccount(context.db, merchantId, { address: wallet });
  const { STAKE_ADDRESS: stakeAddress } = environment;
  const signer = await aSigner({
    config: { network: "devnet", genesisId, usdtContract, stakeAddress },
    integrityKey: context.config.integrity.key,
    entries: [
      anEntry(merchantId, { address: wallet, feeCeiling }),
      anEntry("operator", { address: operatorWallet }),
    ],
  });
  signer.clock = () => Date.now();
  for (const entry of signer.list.entries) {
    const sighting = signer.journal.sightings.get(entry.counter);
    if (sighting !== undefined) await saveDestination(context.owner, entry, sighting);
  }
  await saveState(context.owner, { gasAddress });
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values ('USDT', now(), 100000000, 'test', now()), ('TRX', now(), 30000000, 'test', now())`);
  await chain.pay(gasAddress, { trx: gasTrx });
  await chain.mine(1);
  const lease = await acquireLease(context.db, { name: "settlement:devnet", holder: "test", ttlMs: 600_000 });
  if (lease === undefined) throw new Error("the lease is taken");
  const turnOf = createTurn(context, { ...chain, watch: createWatch(context), planEveryMs: 0 });

  const sign = async () => {
    for (const request of await findPending(context.owner, 0, 100))
      await saveOutcome(context.owner, request.id, signRequest(signer, request));
  };
  const turn = async () => {
    await turnOf.take(lease);
  };
  return {
    ...ledger,
    signer,
    wallet,
    operatorWallet,
    sign,
    turn,
    settleUntil: async (isDone) => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        await turn();
        await sign();
        await chain.mine(3);
        await chain.scan(context);
        if (await isDone()) return;
      }
      const open = await context.owner.query(sql`select status, reason, currency, units, attempts from sweeps`);
      throw new Error(`settlement does not come to its end: ${JSON.stringify(open, (_, v) => (typeof v === "bigint" ? String(v) : v))}`);
    },
    usdtOf: (address) => chain.client.getSolidBalance(address, usdtContract),
    trxOf: (address) => chain.client.getSolidBalance(address, undefined),
    close,
  };
}
