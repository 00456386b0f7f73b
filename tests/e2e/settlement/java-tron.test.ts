import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { freezeAndPermit } from "@daric/testing/stake";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { TronWeb, type Types } from "tronweb";
import { expect, it, onTestFinished } from "vitest";
import { findBroken, findUnswept, isSwept, nothingBroken, openSettlementServices } from "./stage.ts";

/**
 * Settlement on a java-tron node, at `JAVA_TRON_URL` and `JAVA_TRON_SOLIDITY_URL`. Its chain is private and mines
 * by itself. `JAVA_TRON_KEY` is the private key of an account with TRX and tokens of `JAVA_TRON_USDT`. This
 * contract has `paused()`, `basisPointsRate()` and `isBlackListed(address)` like USDT.
 */
const { JAVA_TRON_URL: url = "", JAVA_TRON_SOLIDITY_URL: solidityUrl = url } = process.env;
const { JAVA_TRON_KEY: key = "", JAVA_TRON_USDT: usdtContract = "" } = process.env;
const SUN = 1_000_000;
/** The merchant's part of an address is swept ten minutes after the transaction of the operator's share has expired. */
const LIMIT_MS = 30 * 60_000;
const ORDERS = 3;
/** The wait for a transaction: its expiration, and some seconds for a slow block. */
const EXPIRED_MS = 10_000;

const clientOf = (privateKey: string) =>
  new TronWeb({ fullNode: url, solidityNode: solidityUrl, privateKey });
const payer = url === "" ? undefined : clientOf(key);

/** Builds and sends a transaction until a block has one: a busy node may let a transaction expire. */
async function carryOut(client: TronWeb, build: () => Promise<Types.Transaction>): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const signed = await client.trx.sign(await build());
    const sent = await client.trx.sendRawTransaction(signed);
    expect(sent.result, JSON.stringify(sent)).toBe(true);
    while (Date.now() < signed.raw_data.expiration + EXPIRED_MS) {
      await sleep(1_500);
      const info = await client.trx.getUnconfirmedTransactionInfo(signed.txID);
      if (info?.id === undefined) continue;
      expect(info.result, JSON.stringify(info)).toBeUndefined();
      return;
    }
  }
  throw new Error("no block has the transaction");
}

it.runIf(payer !== undefined).each(["burn", "delegate"] as const)(
  "on a java-tron node all money of TRX and USDT orders reaches the merchant's and the operator's wallets (%s)",
  { timeout: LIMIT_MS + 300_000 },
  async (resources) => {
    const client = payer as TronWeb;
    const from = String(client.address.fromPrivateKey(key));
    const genesisId = (await client.trx.getBlockByNumber(0)).blockID;
    const stake = keyPairFromPhrase(`stake ${Date.now()}`);
    const stakeAddress = TronWeb.address.fromHex(stake.address);
    const services = await openSettlementServices({
      network: "private",
      genesisId,
      usdtContract,
      nodeUrls: [url],
      solidityUrls: [solidityUrl],
      ...(resources === "delegate" && { stakeAddress }),
    });
    onTestFinished(() => services.close());
    const { gasAddress: gas, stakePermissionAddress: stakeKey } = services;
    const [wallet, operatorWallet] = [anAddress(), anAddress()];
    const giveTrx = async (to: string, sun: number) =>
      carryOut(client, () => client.transactionBuilder.sendTrx(to, sun, from));
    const giveUsdt = async (to: string, units: bigint) => {
      await carryOut(client, async () => {
        const call = await client.transactionBuilder.triggerSmartContract(
          usdtContract,
          "transfer(address,uint256)",
          { feeLimit: 100 * SUN },
          [
            { type: "address", value: to },
            { type: "uint256", value: String(units) },
          ],
          from,
        );
        return call.transaction;
      });
    };
    for (const to of [gas, wallet, operatorWallet]) await giveTrx(to, 500 * SUN);
    for (const to of [wallet, operatorWallet]) await giveUsdt(to, 1n);
    if (resources === "delegate") {
      await giveTrx(stakeAddress, 40_200 * SUN);
      const owner = clientOf(stake.privateKey);
      await freezeAndPermit(owner, { address: stakeAddress, trx: 40_000, delegate: stakeKey }, (build) =>
        carryOut(owner, build),
      );
    }
    const held = async () => {
      const sums = { USDT: 0n, TRX: 0n };
      for (const address of [wallet, operatorWallet]) {
        sums.TRX += BigInt(await client.trx.getUnconfirmedBalance(address));
        const { constant_result } = await client.transactionBuilder.triggerConstantContract(
          usdtContract,
          "balanceOf(address)",
          {},
          [{ type: "address", value: address }],
          from,
        );
        sums.USDT += BigInt(`0x${constant_result[0]}`);
      }
      return sums;
    };
    const before = await held();

    await services.serve("api");
    const merchant = await services.merchant(wallet, "--fee-mode", "merchant", "--fee-basis-points", "100");
    const signer = await services.signer([
      { merchant: merchant.id, address: wallet },
      { merchant: "operator", address: operatorWallet },
    ]);
    const watcher = await services.serve("watcher");
    const settlement = await services.serve("settlement", { SWEEP_MAX_COST_BASIS_POINTS: "10000" });
    const paid = { USDT: 0n, TRX: 0n };
    for (let n = 0; n < 2 * ORDERS; n += 1) {
      const currency = n % 2 === 0 ? "USDT" : "TRX";
      const units = 1_000_000_000n + BigInt(n) * 1_000_003n;
      const order = await merchant.client.depositAddresses.create({
        amount: "1000",
        currency,
        orderRef: `A-${n}`,
      });
      if (currency === "USDT") await giveUsdt(order.address, units);
      else await giveTrx(order.address, Number(units));
      paid[currency] += units;
    }
    const isOver = () => isSwept(services.owner(), 2 * ORDERS);
    for (const end = Date.now() + LIMIT_MS; Date.now() < end && !(await isOver()); ) await sleep(3_000);
    const lines = await services.owner().query(sql`select status, reason, currency, units from sweeps`);
    const logs = [settlement, signer, watcher].map((program) => program.log()).join("\n");
    expect(
      await isOver(),
      `${JSON.stringify(lines, (_, v) => (typeof v === "bigint" ? String(v) : v))}\n${logs}`,
    ).toBe(true);

    const [after, unswept] = [await held(), await findUnswept(services.owner())];
    expect(after.USDT - before.USDT + unswept.USDT).toBe(paid.USDT);
    expect(after.TRX - before.TRX + unswept.TRX).toBe(paid.TRX);
    expect(await findBroken(services.owner())).toEqual(nothingBroken);
    await services.daric("doctor", "--deep");
    const costs = await services.owner().query<{ line: string }>(sql`
      select concat_ws(' ', s.currency, s.recipient, string_agg(concat_ws(' ', t.purpose, t.outcome, t.fee_units), ', ' order by t.id)) as line
      from sweeps s join sweep_transactions t on t.sweep_id = s.id group by s.id, s.currency, s.recipient order by s.id`);
    process.stdout.write(`${costs.map(({ line }) => line).join("\n")}\n`);
  },
);
