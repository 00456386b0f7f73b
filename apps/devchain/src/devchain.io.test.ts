import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devchainClient } from "@daric/testing/devchain-client";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type Devchain, type DevchainOptions, startDevchain } from "./devchain.ts";

const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const running: Devchain[] = [];

afterEach(async () => {
  for (const devchain of running.splice(0)) await devchain.stop();
});

async function started(options: DevchainOptions = {}): Promise<Devchain> {
  const devchain = await startDevchain({ paused: true, ...options });
  running.push(devchain);
  return devchain;
}

const sunOf = (devchain: Devchain, address: string) =>
  devchainClient(devchain).tronWeb().trx.getUnconfirmedBalance(address);

async function unitsOf(devchain: Devchain, address: string): Promise<bigint> {
  const token = await devchainClient(devchain).tronWeb().contract().at(devchain.usdtContract);
  return token.balanceOf(address).call();
}

const headAt = async (devchain: Devchain): Promise<number> =>
  (await devchainClient(devchain).get("/devchain/info")).body.head;

describe("the accounts of a chain", () => {
  it("are ten with 10,000 TRX and USDT each, from solid blocks on, and leave genesis as it is", async () => {
    const devchain = await started();
    const bare = await started({ accounts: 0 });
    expect(devchain.accounts).toHaveLength(10);
    expect(devchain.genesisId).toBe(bare.genesisId);
    const [first] = devchain.accounts;
    const solid = await devchainClient(devchain).tronWeb().trx.getAccount(first?.address);
    expect(solid.balance).toBe(10_000_000_000);
    for (const { address } of devchain.accounts) {
      expect([await sunOf(devchain, address), await unitsOf(devchain, address)]).toEqual([
        10_000_000_000,
        10_000_000_000n,
      ]);
    }
    expect(await devchainClient(devchain).get("/devchain/accounts")).toEqual({
      status: 200,
      body: { mnemonic: devchain.mnemonic, accounts: devchain.accounts },
    });
  });

  it("sign for their money", async () => {
    const devchain = await started({ accounts: 1, automine: true });
    const [payer] = devchain.accounts;
    const tronWeb = devchainClient(devchain).tronWeb(payer?.privateKey);
    const sent = await tronWeb.trx.sendTransaction(devchain.payer.address, 1_000_000);
    expect(sent.result).toBe(true);
    expect((await tronWeb.trx.getUnconfirmedTransactionInfo(sent.txid)).blockNumber).toBe(21);
  });

  it("that a kept chain does not know are paid by the treasury with the next block", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "devchain-test-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const first = await started({ dataDir, accounts: 1 });
    await first.stop();
    const again = await started({ dataDir, accounts: 2, balance: 3 });
    const [old = "", added = ""] = again.accounts.map(({ address }) => address);
    await again.mine();
    expect([await sunOf(again, old), await unitsOf(again, old)]).toEqual([10_000_000_000, 10_000_000_000n]);
    expect([await sunOf(again, added), await unitsOf(again, added)]).toEqual([3_000_000, 3_000_000n]);
  });
});

describe("the in-process API", () => {
  it("mines, pays, forks, moves time and returns to a snapshot", async () => {
    const devchain = await started({ accounts: 1 });
    const [{ address } = { address: "" }] = devchain.accounts;
    const id = await devchain.snapshot();
    const { txids } = await devchain.faucet(address, { trx: "2.5" });
    expect(await devchain.mine()).toEqual({ head: 21, solid: 3 });
    expect(await sunOf(devchain, address)).toBe(10_002_500_000);
    expect(await devchain.reorg({ drop: txids })).toEqual({ oldHead: 21, newHead: 22 });
    expect(await sunOf(devchain, address)).toBe(10_000_000_000);
    const { timeMs } = await devchain.time(3_600_000);
    expect(await devchain.mine(2, { stepMs: 6_000 })).toEqual({ head: 24, solid: 6 });
    const block = await devchainClient(devchain).tronWeb().trx.getBlock(23);
    expect(block.block_header.raw_data.timestamp).toBeGreaterThanOrEqual(timeMs);
    expect(await devchain.revert(id)).toMatchObject({ head: 20, solid: 2 });
    expect(await headAt(devchain)).toBe(20);
  });

  it("adds, lists and clears faults of the node at its url alone", async () => {
    const devchain = await started();
    const other = await devchain.addNode();
    await devchain.faults.add({ kind: "status", path: "/wallet/getnowblock", status: 503, times: 2 });
    const statusAt = async (url: string) => (await fetch(`${url}/wallet/getnowblock`)).status;
    expect([await statusAt(devchain.url), await statusAt(other.url)]).toEqual([503, 200]);
    expect(await devchain.faults.list()).toEqual([
      { kind: "status", path: "/wallet/getnowblock", status: 503, changed: 1, left: 1 },
    ]);
    await devchain.faults.clear();
    expect(await statusAt(devchain.url)).toBe(200);
  });

  it("refuses what the control API refuses, and names the field", async () => {
    const devchain = await started();
    await expect(devchain.mine(0)).rejects.toMatchObject({ field: "blocks" });
    await expect(devchain.mine(1, { stepMs: 3_001 })).rejects.toMatchObject({ field: "stepMs" });
    await expect(devchain.faucet("T1", { trx: "1" })).rejects.toMatchObject({ field: "address" });
    await expect(devchain.reorg({ depth: 19 })).rejects.toMatchObject({ field: "depth" });
    await expect(devchain.time(0)).rejects.toMatchObject({ field: "advanceMs" });
    await expect(devchain.revert("7")).rejects.toMatchObject({ field: "id" });
    const misspelt = { kind: "delay", path: "/wallet/getblock", delayMs: 1, time: 2 } as const;
    await expect(devchain.faults.add(misspelt)).rejects.toMatchObject({ field: "time" });
    expect(await headAt(devchain)).toBe(20);
  });
});

it("chains of one process share nothing: neither accounts nor clocks, blocks, faults, snapshots or settings", async () => {
  const one = await started({ accounts: 2, now: () => Date.UTC(2026, 0, 1) });
  const two = await started({ accounts: 2, mnemonic: OTHER, now: () => Date.UTC(2030, 5, 1) });
  const addresses = [...one.accounts, ...two.accounts].map(({ address }) => address);
  expect(new Set(addresses).size).toBe(4);
  const timeOf = async (devchain: Devchain) =>
    (await devchainClient(devchain).tronWeb().trx.getCurrentBlock()).block_header.raw_data.timestamp;
  const before = [await timeOf(two), await headAt(two), await sunOf(two, addresses[2] ?? "")];
  expect(before).toEqual([Date.UTC(2030, 5, 1), 20, 10_000_000_000]);
  const id = await one.snapshot();
  await one.faults.add({ kind: "status", path: "/wallet/getaccount", status: 500 });
  await devchainClient(one).control("config", { parameters: { getEnergyFee: 777 }, automine: true });
  await devchainClient(one).control("rates", { usdt: "2" });
  await one.faucet(addresses[2] ?? "", { trx: "1", usdt: "1" });
  await one.time(3_600_000);
  await one.mine(30);
  expect([await timeOf(two), await headAt(two), await sunOf(two, addresses[2] ?? "")]).toEqual(before);
  await expect(two.revert(id)).rejects.toMatchObject({ field: "id" });
  const settings = (await devchainClient(two).get("/devchain/config")).body;
  expect([settings.automine, settings.parameters.getEnergyFee]).toEqual([false, 100]);
  expect((await devchainClient(two).get("/devchain/rates")).body.usdt).not.toBe("2");
  expect(await sunOf(two, addresses[0] ?? "")).toBe(0);
});
