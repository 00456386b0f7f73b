import { createHash } from "node:crypto";
import { acceptCharge } from "@daric/charges/close/accept-charge";
import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import { amountFromUnits, amountIn } from "@daric/domain/money";
import { refundMachine } from "@daric/domain/refund";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type Fate, type ForkChain } from "@daric/testing/fork-chain";
import { diceOf } from "@daric/testing/races";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listAddressesOf } from "./address-store.ts";
import { askAgain } from "./ask-again.ts";
import { cancelRefund } from "./cancel-refund.ts";
import { claimRefund } from "./claim-refund.ts";
import { claimToken } from "./claim-token.ts";
import { confirmRefund } from "./confirm-refund.ts";
import { confirmTransfer } from "./confirm-transfer.ts";
import { openPay } from "./open-pay.ts";
import { isRefundOurs, type Refund } from "./refund.ts";
import { listReceivedCoins, listRefunds, listRefundsOf } from "./store.ts";
import { listTransfersOf } from "./transfer-store.ts";

const SEQUENCES = 1_000;
const STEPS = 14;
const TRX = 1_000_000n;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: ForkChain;
beforeAll(async () => {
  context = await createTestContext();
  chain = createForkChain(Date.now());
  await read(20);
});
afterAll(() => context.close());

async function read(blocks: number): Promise<void> {
  chain.mine(blocks);
  await scanToRest(context, await aScanner(context, chain.reader));
}

/** Two merchants of the deployment, each with a wallet and an order; payers share a few addresses. */
type World = {
  readonly shops: readonly {
    readonly merchantId: MerchantId;
    readonly wallet: string;
    readonly chargeId: ChargeId;
    readonly address: string;
  }[];
  readonly payees: readonly string[];
  /** the statuses that each refund was seen in */
  readonly seen: Map<string, Refund["status"]>;
};

async function aWorld(): Promise<World> {
  const shops = await Promise.all(
    [0, 1].map(async () => {
      const { id: merchantId } = await aMerchant(context.db);
      const { address: wallet } = await aSettlementAccount(context.db, merchantId);
      const charge = await aCharge(context.db, {
        merchantId,
        currency: "TRX",
        amount: "10",
        feeBasisPoints: 100,
      });
      return { merchantId, wallet, chargeId: charge.id, address: charge.address };
    }),
  );
  return { shops, payees: [anAddress(), anAddress()], seen: new Map() };
}

let serial = 0;
function send(to: string, units: bigint, from: string): void {
  serial += 1;
  const txId = createHash("sha256").update(`model ${serial}`).digest("hex");
  const contract = {
    kind: "transfer" as const,
    fromHex: addressToHex(from),
    toHex: addressToHex(to),
    units: amountIn("TRX", units),
  };
  const expirationMs = Date.now() + (serial * 30 + 4_000) * 3_000;
  chain.include({ txId, contractRet: "SUCCESS", expirationMs, contract });
}

/** A refusal of a rule is a right answer. */
async function tried(act: Promise<unknown>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

type Dice = () => number;
const oneIn = <T>(dice: Dice, list: readonly T[]): T | undefined => list[Math.floor(dice() * list.length)];

async function step(world: World, dice: Dice): Promise<void> {
  const shop = oneIn(dice, world.shops) ?? expect.fail("no shop");
  const { merchantId, chargeId } = shop;
  const { rows } = await listRefunds(context.db, { merchantId }, { limit: 100, offset: 0 });
  const refund = oneIn(dice, rows);
  const personId = idOf("person", uuidv7());
  const payee = oneIn(dice, world.payees) ?? "";
  const nothing = {
    fiatAmount: null,
    currency: null,
    refundRef: null,
    reason: null,
    address: null,
    apiKeyId: null,
  };
  const acts: (() => Promise<unknown> | unknown)[] = [
    () => chain.pay(shop.address, (1n + BigInt(Math.floor(dice() * 12))) * TRX),
    () => chain.pay(shop.address, (1n + BigInt(Math.floor(dice() * 12))) * TRX),
    () => read(Math.floor(dice() * 30)),
    () => read(25),
    () => chain.fork(1 + Math.floor(dice() * 5), [oneIn<Fate>(dice, ["kept", "moved", "dropped"]) ?? "kept"]),
    () => chain.rebroadcast(),
    () => askForRefund(context, { ...nothing, merchantId, id: chargeId, amount: null, askedBy: null }),
    () =>
      askForRefund(context, {
        ...nothing,
        merchantId,
        id: chargeId,
        amount: amountFromUnits((1n + BigInt(Math.floor(dice() * 5))) * TRX),
        askedBy: null,
      }),
    () => acceptCharge(context, { merchantId, id: chargeId, reason: null }),
  ];
  if (refund !== undefined)
    acts.push(
      () =>
        claimRefund(context, {
          token: claimToken(context, refund),
          address: payee,
          vet: async () => undefined,
        }),
      () =>
        claimRefund(context, {
          token: claimToken(context, refund),
          address: payee,
          vet: async () => undefined,
        }),
      () => askAgain(context, refund),
      () => cancelRefund(context, refund),
      () => confirmRefund(context, { ...refund, personId, reason: "sure" }),
      () => confirmRefund(context, { ...refund, personId, reason: "sure" }),
      () => openPay(context, refund),
      () => send(refund.address ?? payee, refund.units, shop.wallet),
      () => send(refund.address ?? payee, refund.units, shop.wallet),
      () => send(refund.address ?? payee, refund.units - 1n, shop.wallet),
      () =>
        send(
          refund.address ?? payee,
          refund.units,
          world.shops.find((other) => other !== shop)?.wallet ?? payee,
        ),
      () => send(payee, refund.units, anAddress()),
      async () => {
        const [proposal] = (await listTransfersOf(context.db, refund)).filter(
          ({ status }) => status === "PROPOSED",
        );
        if (proposal)
          await confirmTransfer(context, { ...refund, txId: proposal.txId, personId }, async () => []);
      },
    );
  await tried(Promise.resolve(oneIn(dice, acts)?.()));
}

/** The rules that hold at every moment. */
async function check(world: World, isAtRest: boolean): Promise<void> {
  for (const { merchantId, chargeId } of world.shops) {
    const refunds = await listRefundsOf(context.db, { merchantId, id: chargeId });
    const [received] = await listReceivedCoins(context.db, { merchantId, id: chargeId });
    const open = refunds.filter(({ status, canceledAt }) => status !== "CANCELED" && canceledAt === null);
    const named = (refund: Refund) => refund.paidUnits ?? refund.units;
    // A person may confirm a transfer of another amount, and a canceled refund may be paid all the same: such money counts beyond the rule.
    const promised = open
      .filter(({ status }) => status !== "COMPLETED")
      .reduce((sum, { units }) => sum + units, 0n);
    const paid = refunds
      .filter(({ status }) => status === "COMPLETED")
      .reduce((sum, refund) => sum + named(refund), 0n);
    if (promised > 0n && paid === 0n) expect(promised <= (received?.units ?? 0n)).toBe(true);
    for (const refund of refunds) {
      expect(isRefundOurs(context, refund)).toBe(true);
      const before = world.seen.get(refund.id);
      if (before !== undefined && before !== refund.status)
        expect(isReachable(before, refund.status)).toBe(true);
      world.seen.set(refund.id, refund.status);
      await checkTransfers(refund, isAtRest);
    }
  }
}

/** Several moves may lie between two looks. */
function isReachable(from: Refund["status"], to: Refund["status"]): boolean {
  const reached = new Set([from]);
  for (const state of reached)
    for (const event of refundMachine.events) {
      const next = refundMachine.next(state, event);
      if (next !== undefined) reached.add(next);
    }
  return reached.has(to);
}

async function checkTransfers(refund: Refund, isAtRest: boolean): Promise<void> {
  const given = await listTransfersOf(context.db, refund);
  const final = given.filter(({ status }) => status === "FINAL");
  expect(final).toHaveLength(refund.status === "COMPLETED" ? 1 : 0);
  const addresses = (await listAddressesOf(context.db, refund)).map(({ address }) => address);
  for (const { units, isInChain, toAddress, txId } of final) {
    expect({ units, isInChain, txId }).toEqual({
      units: refund.paidUnits,
      isInChain: true,
      txId: refund.txId,
    });
    expect(addresses).toContain(toAddress);
  }
  if (refund.status === "SENT") expect(given.filter(({ status }) => status === "TAKEN")).toHaveLength(1);
  // With every block read and long verified, a transfer of our chain has completed its refund.
  const taken = given.filter(({ status, isInChain }) => status === "TAKEN" && isInChain);
  if (isAtRest) expect(taken).toEqual([]);
}

it(`refunds keep their rules through ${SEQUENCES} random sequences of money, forks, claims, cancels and transfers by strangers and another merchant`, async () => {
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const dice = diceOf(seed);
    const world = await aWorld();
    try {
      for (let at = 0; at < STEPS; at += 1) {
        await step(world, dice);
        await check(world, false);
      }
      await read(45);
      await read(1);
      await check(world, true);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  const [rows] = await context.owner.query<{ statuses: Record<string, number> }>(
    sql`select jsonb_object_agg(status, count) as statuses from (select status, count(*) from refunds group by status) counted`,
  );
  for (const status of refundMachine.states)
    expect([status, (rows?.statuses[status] ?? 0) > 0]).toEqual([status, true]);
}, 3_600_000);
