import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Variables } from "@daric/server/process/config";
import { addressToBase58 } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { control } from "./payments.ts";
import { waitUntil } from "./programs.ts";
import { type ListedMerchant, makeHome, stakeForSweeps, startBenchSigner } from "./signer-home.ts";
import type { Stage, StagedDeployment } from "./stage.ts";

const SUN = 1_000_000;
const DAY_MS = 86_400_000;
/** Blocks until one is final, with some to spare. */
const FINAL_BLOCKS = 22;
const POLL_MS = 50;
/** The energy of a transfer, plus the 2 % that a loan adds. */
export const LOAN_ENERGY = 64_285 * 1.02;

const PREPARATION = `insert into rates (currency, minute, usd_e8, source, fetched_at)
  values ('USDT', now(), 100000000, 'bench', now()), ('TRX', now(), 30000000, 'bench', now());
  -- It compares the chain's time with the database's clock, and passDays moves the chain's clock alone.
  alter table signing_requests drop constraint signing_requests_bounded`;

/** A service with settlement. Its chain makes blocks only while transactions wait for them. */
export type SettlingStage = {
  readonly deployment: StagedDeployment;
  /** sun of the operator's accounts, which pay for sweeps */
  operatorSun(): Promise<bigint>;
  /** the energy of the stake */
  energyADay(): Promise<number>;
  /**
   * Mines while transactions wait for blocks, until no sweep is under way, or the stake has no energy for another
   * loan. Returns the number of addresses with money.
   */
  settle(): Promise<{ readonly left: number }>;
  /** moves the chain's clock forward */
  passDays(days: number): Promise<void>;
  mine(blocks: number): Promise<void>;
  /** Waits until the ledger has the money of `addresses` addresses. */
  awaitContent(addresses: number): Promise<void>;
  /** makes the service check waiting sweeps now, because the database's clock does not follow the chain's */
  wake(): Promise<void>;
  /** the chain's clock, Unix time in ms */
  timeMs(): Promise<number>;
};

/**
 * Starts watcher, settlement and signer for these merchants. With `stakeTrx` a separate account stakes TRX and
 * lends energy.
 */
export async function startSettling(
  stage: Stage,
  deployment: StagedDeployment,
  {
    merchants,
    stakeTrx,
    env = {},
  }: { merchants: readonly ListedMerchant[]; stakeTrx?: number; env?: Variables },
): Promise<SettlingStage> {
  const { db } = deployment;
  const home = await mkdtemp(join(tmpdir(), "daric-bench-signer-"));
  deployment.keep({ pid: 0, port: 0, stop: () => rm(home, { recursive: true, force: true }) });
  const stake = keyPairFromPhrase("bench stake");
  const stakeAddress = addressToBase58(stake.address);
  const { gasAddress, stakePermissionAddress } = await makeHome(stage, { home, merchants, stakeAddress });
  await control(stage, "faucet", { address: gasAddress, trx: "20000" });
  if (stakeTrx !== undefined)
    await stakeForSweeps(stage, {
      privateKey: stake.privateKey,
      address: stakeAddress,
      trx: stakeTrx,
      key: stakePermissionAddress,
    });
  await db.query(PREPARATION);
  const isSpent = async () =>
    stakeTrx !== undefined &&
    env.SWEEP_WITHOUT_ENERGY !== "burn" &&
    (await canLendNoMore(stage, stakeAddress));
  const mine = async (blocks: number) => void (await control(stage, "mine", { blocks }));
  await mine(FINAL_BLOCKS);
  await deployment.serve("watcher", { TRON_POLL_MS: "50" });
  await startBenchSigner(deployment, home);
  await deployment.serve("settlement", {
    ...(stakeTrx !== undefined && { STAKE_ADDRESS: stakeAddress }),
    ...env,
  });
  return {
    deployment,
    operatorSun: async () => (await sunOf(stage, gasAddress)) + (await sunOf(stage, stakeAddress)),
    energyADay: async () =>
      (await ask<{ EnergyLimit?: number }>(stage, "getaccountresource", stakeAddress)).EnergyLimit ?? 0,
    settle: () => settle(deployment, { mine, isSpent }),
    passDays: async (days) => {
      await control(stage, "time", { advanceMs: Math.round(days * DAY_MS) });
      await mine(FINAL_BLOCKS);
    },
    mine,
    awaitContent: (addresses) =>
      waitUntil(
        `the money of ${addresses} addresses is booked`,
        async () => {
          const { rows } = await db.query(
            "select count(*)::int as count from address_contents where units > 0",
          );
          if (rows[0].count < addresses) await mine(1);
          return rows[0].count >= addresses;
        },
        4 * POLL_MS,
      ),
    wake: async () => void (await db.query("update settlement_control set asked_at = now()")),
    timeMs: async () => {
      const answer = await fetch(`${stage.devchain.url}/devchain/info`);
      return ((await answer.json()) as { timeMs: number }).timeMs;
    },
  };
}

async function sunOf(stage: Stage, address: string): Promise<bigint> {
  const { balance = 0 } = await ask<{ balance?: number }>(stage, "getaccount", address);
  return BigInt(balance);
}

/** Whether the stake has too little energy for another transfer. */
async function canLendNoMore(stage: Stage, stakeAddress: string): Promise<boolean> {
  const resources = await ask<{ TotalEnergyLimit: number; TotalEnergyWeight: number }>(
    stage,
    "getaccountresource",
    stakeAddress,
  );
  const { max_size: sun = 0 } = await ask<{ max_size?: number }>(
    stage,
    "getcandelegatedmaxsize",
    stakeAddress,
  );
  return (sun / SUN) * (resources.TotalEnergyLimit / resources.TotalEnergyWeight) < LOAN_ENERGY;
}

/** Asks the chain about an account. */
async function ask<T>({ devchain }: Stage, question: string, address: string): Promise<T> {
  const answer = await fetch(`${devchain.url}/wallet/${question}`, {
    method: "POST",
    body: JSON.stringify({ address, owner_address: address, type: 1, visible: true }),
  });
  return (await answer.json()) as T;
}

/**
 * Counts the sweeps that wait for the signer or a node, for blocks, and for the ledger, and the addresses that
 * could still be planned.
 */
const STANDING = `
  select (select count(*) from sweeps where status not in ('RECLAIMED', 'DROPPED', 'WAITING', 'FROZEN'))::int as open,
    count(*) filter (where sent_at is null)::int as unsent, count(*) filter (where sent_at is not null)::int as sent,
    (select count(*) from sweep_transactions where outcome = 'landed' and fee_units is null)::int as unbooked,
    (select count(*) from address_contents where currency = 'USDT' and units > 0)::int as left
  from sweep_transactions where outcome is null`;

/** The service plans every second. After this time without a sweep under way, it plans no more. */
const QUIET_MS = 15_000;
/** After this time without progress, a sweep waits for the chain's clock. */
const STUCK_MS = 10_000;

async function settle(
  { db }: StagedDeployment,
  { mine, isSpent }: { mine: (blocks: number) => Promise<void>; isSpent: () => Promise<boolean> },
): Promise<{ left: number }> {
  let quietSince = performance.now();
  let movedAt = performance.now();
  for (;;) {
    const { rows } = await db.query(STANDING);
    const { open, unsent, sent, unbooked, left } = rows[0];
    const isQuiet = open + unsent + sent + unbooked === 0;
    if (!isQuiet) quietSince = performance.now();
    const isIdle = isQuiet && (left === 0 || performance.now() - quietSince > QUIET_MS || (await isSpent()));
    if (isIdle) return { left };
    const isToMine = (sent > 0 && unsent === 0) || (!isQuiet && performance.now() - movedAt > STUCK_MS);
    if (isToMine) {
      await mine(FINAL_BLOCKS);
      movedAt = performance.now();
    }
    await sleep(isToMine ? 4 * POLL_MS : POLL_MS);
  }
}
