import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "@daric/postgres/sql";
import type { Daric } from "@daric/sdk";
import { anAddress } from "@daric/testing/builders";
import { type DevchainClient, devchainClient } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { stakeOn } from "@daric/testing/stake";
import { until } from "@daric/testing/until";
import { hexToAddress } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { expect, it, onTestFinished } from "vitest";
import { findBroken, findUnswept, isSwept, nothingBroken, openSettlementServices } from "./stage.ts";

const resolve = createRequire(import.meta.url).resolve;
const BLOCK_TIME_MS = 250;
/** Half of the addresses are paid in USDT and half in TRX. */
const ADDRESSES = Number(process.env.SETTLEMENT_ADDRESSES ?? "110");
const KILLS = Number(process.env.SETTLEMENT_KILLS ?? "25");
const LIMIT_MS = Number(process.env.SETTLEMENT_MINUTES ?? "12") * 60_000;
const STAKE = keyPairFromPhrase("stake");

type DevnetProcess = DevchainClient & { kill(): Promise<void> };

/** A devnet in a process of its own. A kill keeps its blocks and loses its pool of waiting transactions. */
async function startChain(): Promise<DevnetProcess> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-chain-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ["--port", String(port), "--data", folder, "--block-time", String(BLOCK_TIME_MS), "--quiet"];
  const launch = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [resolve("@daric/devchain/bin"), ...args], { stdio: "pipe" });
    await until("the chain answers", async () => (await fetch(`${url}/devchain/info`)).ok, 60_000);
    return started;
  };
  let child = await launch();
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  const info = await (await fetch(`${url}/devchain/info`)).json();
  const chain = devchainClient({ ...info, url });
  return {
    ...chain,
    kill: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      child = await launch();
    },
  };
}

/** Creates orders of every merchant and pays them by TronWeb. Returns the sums of the payments. */
async function payOrders(
  chain: DevnetProcess,
  clients: readonly Daric[],
): Promise<{ USDT: bigint; TRX: bigint }> {
  const payer = chain.tronWeb();
  const token = await payer.contract().at(chain.usdtContract);
  const paid = { USDT: 0n, TRX: 0n };
  for (let n = 0; n < ADDRESSES; n += 1) {
    const currency = n % 2 === 0 ? "USDT" : "TRX";
    const units = BigInt(n + 1) * 1_000_003n + 1_000_000_000n;
    const order = { amount: "1000", currency, orderRef: `A-${n}` } as const;
    const { address } = await (clients[n % clients.length] as Daric).depositAddresses.create(order);
    if (currency === "TRX") await payer.trx.sendTransaction(address, Number(units));
    else await token.transfer?.(address, String(units)).send({ feeLimit: 100_000_000 });
    paid[currency] += units;
  }
  return paid;
}

async function held(
  chain: DevnetProcess,
  wallets: readonly string[],
): Promise<{ USDT: bigint; TRX: bigint }> {
  const tronWeb = chain.tronWeb();
  const token = await tronWeb.contract().at(chain.usdtContract);
  const sums = { USDT: 0n, TRX: 0n };
  for (const wallet of wallets) {
    sums.USDT += BigInt(await token.balanceOf?.(wallet).call());
    sums.TRX += BigInt(await tronWeb.trx.getBalance(wallet));
  }
  return sums;
}

it.each(["burn", "delegate"] as const)(
  "kill -9 of settlement, watcher, signer, PostgreSQL and the chain at any step: each address is swept once, and every unit arrives (%s)",
  { timeout: LIMIT_MS + 180_000 },
  async (resources) => {
    const chain = await startChain();
    const stakeAddress = hexToAddress(STAKE.address);
    const { genesisId, usdtContract, url } = chain;
    const services = await openSettlementServices({
      network: "devnet",
      genesisId,
      usdtContract,
      nodeUrls: [url],
      ...(resources === "delegate" && { stakeAddress }),
    });
    onTestFinished(() => services.close());
    const { gasAddress: gas, stakePermissionAddress: stakeKey } = services;
    const wallets = [anAddress(), anAddress()];
    const operatorWallet = anAddress();
    if (resources === "delegate") await stakeOn(chain, { key: STAKE, trx: 4_000_000, delegate: stakeKey });
    for (const address of [gas, ...wallets, operatorWallet])
      await chain.control("faucet", { address, trx: "10000", usdt: "1" });
    // TronWeb reads TRX balances at the newest solid block, so the transfers must be solid.
    await chain.mine(25);
    await services.serve("api");
    const merchants = [];
    for (const wallet of wallets)
      merchants.push(await services.merchant(wallet, "--fee-mode", "merchant", "--fee-basis-points", "100"));
    const signer = await services.signer([
      ...merchants.map(({ id }, index) => ({ merchant: id, address: String(wallets[index]) })),
      { merchant: "operator", address: operatorWallet },
    ]);
    const before = await held(chain, [...wallets, operatorWallet]);
    const watcher = await services.serve("watcher");
    const settings = {
      SWEEP_MAX_COST_BASIS_POINTS: "1000",
      SWEEPS_AT_ONCE: "60",
      SWEEP_WITHOUT_ENERGY: "wait",
    };
    const settlement = await services.serve("settlement", settings);
    const paid = await payOrders(
      chain,
      merchants.map(({ client }) => client),
    );

    const victims = {
      settlement: () => settlement.kill(),
      signer: () => signer.kill(),
      PostgreSQL: () => services.killPostgres(),
      chain: () => chain.kill(),
      watcher: () => watcher.kill(),
    };
    const names = Object.keys(victims) as (keyof typeof victims)[];
    const isOver = () => isSwept(services.owner(), ADDRESSES).catch(() => false);
    const deadline = Date.now() + LIMIT_MS;
    let kills = 0;
    while (Date.now() < deadline && (kills < KILLS || !(await isOver()))) {
      await sleep(500 + Math.random() * 2_500);
      if (kills >= KILLS) continue;
      await victims[names[kills % names.length] as keyof typeof victims]();
      kills += 1;
    }
    expect(await isOver(), [settlement, signer, watcher].map((program) => program.log()).join("\n")).toBe(
      true,
    );

    // The balances come from the chain. The number of transfers of each address, and their receivers, come from
    // its blocks.
    const after = await held(chain, [...wallets, operatorWallet]);
    const unswept = await findUnswept(services.owner());
    expect(after.USDT - before.USDT + unswept.USDT).toBe(paid.USDT);
    expect(after.TRX - before.TRX + unswept.TRX).toBe(paid.TRX);
    expect(await findBroken(services.owner())).toEqual(nothingBroken);
    const [swept] = await services.owner().query<{ addresses: bigint; sweeps: bigint; again: bigint }>(sql`
      select count(distinct deposit_address_id) as addresses, count(*) as sweeps,
        (select count(*) from sweep_transactions where outcome in ('expired', 'failed')) as again
      from sweeps where status = 'RECLAIMED'`);
    const unfinished = await services.owner().query<{ line: string }>(sql`
      select concat_ws(' ', status, reason, count(*)) as line from sweeps where status <> 'RECLAIMED' group by status, reason`);
    expect(swept?.addresses, unfinished.map(({ line }) => line).join("\n")).toBe(BigInt(ADDRESSES));
    const { body } = await chain.post("/wallet/getdelegatedresourceaccountindexv2", { value: STAKE.address });
    expect(body.toAccounts ?? []).toEqual([]);
    await services.daric("doctor", "--deep");
    process.stdout.write(
      `${resources}: ${kills} kills, ${swept?.sweeps} sweeps of ${ADDRESSES} addresses, ${swept?.again} transactions made again\n`,
    );
  },
);
