import type { DepositDecision } from "@daric/domain/deposit";
import type { DepositId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { listAuditEntries } from "@daric/runtime/audit-store";
import { auditDatabase } from "@daric/server/doctor/audit";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { runRescan } from "@daric/testing/rescans";
import { alarms, aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";
import { decideDeposit, NotDecidableError } from "./decide-deposit.ts";
import { findOpenRescan } from "./rescan-store.ts";

const ELEVEN_MINUTES = 225;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: Awaited<ReturnType<typeof aMerchant>>["id"];
let lying: RunReader;
let chain: ReturnType<typeof startForkRuns>["chain"];

/** A deposit that waits for a balance which its address does not have. */
beforeEach(async () => {
  context = await createTestContext();
  ({ id: merchantId } = await aMerchant(context.db));
  await anEndpointRow(context.db, merchantId, { eventTypes: ["deposit.confirmed", "deposit.failed"] });
  const { chain: made, runs } = startForkRuns();
  chain = made;
  const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scanToRest(context, await aScanner(context, runs.reader));
  runs.run({ units: 1n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  lying = runs.inventing(number, { to: address, units: 7_000_000n });
  await mine(ELEVEN_MINUTES);
  await context.owner.query(sql`update deposits set detected_at = now() - interval '11 minutes'`);
  // Waiting deposits are checked again every 20 blocks.
  await mine(20);
  expect(await deposit()).toMatchObject({ status: "STUCK", stuckReason: "balance" });
});
afterEach(() => context.close());

async function mine(blocks: number) {
  chain.mine(blocks);
  const scanner = await aScanner(context, lying);
  await scanToRest(context, scanner);
  return scanner;
}

async function deposit() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 10, offset: 0 });
  return one(rows);
}

async function decide(verdict: DepositDecision, depositId?: string) {
  const decision = {
    network: "devnet",
    merchantIds: [merchantId],
    verdict,
    actor: "ada",
    reason: "seen with two explorers",
  };
  return decideDeposit(context.db, { ...decision, depositId: depositId ?? (await deposit()).id });
}

async function announced(): Promise<string[]> {
  const rows = await context.db.query<{ type: string }>(sql`
    select type from webhook_events where merchant_id = ${merchantId} order by id`);
  return rows.map(({ type }) => type);
}

/** The invariants that the doctor finds broken. */
async function broken(): Promise<string[]> {
  const diagnoses = await auditDatabase(context.db, "devnet");
  return diagnoses.flatMap(({ violations }) => violations.map(({ what }) => what));
}

const history = async (id: DepositId) => listAuditEntries(context.db, `deposit ${id}`);

describe("a STUCK deposit", () => {
  it("that an operator accepts is confirmed like any other, and the audit log has the operator and the reason", async () => {
    const { id } = await decide("accepted");
    await mine(1);
    expect(await deposit()).toMatchObject({ status: "CONFIRMED", stuckReason: null, isMerkleProven: false });
    expect(await announced()).toContain("deposit.confirmed");
    expect(await history(id)).toEqual([
      {
        at: expect.any(Date),
        actor: "ada",
        action: "deposit accept",
        subject: `deposit ${id}`,
        before: { status: "STUCK", decision: null },
        after: { status: "STUCK", decision: "accepted" },
        reason: "seen with two explorers",
      },
    ]);
  });

  it("that an operator rejects fails, stays FAILED after a rescan of its block, and the doctor finds nothing broken", async () => {
    await decide("rejected");
    const scanner = await mine(1);
    const { blockNumber, ...failed } = await deposit();
    expect(failed).toMatchObject({ status: "FAILED", failureReason: "rejected" });
    expect(await announced()).toContain("deposit.failed");
    expect(await broken()).toEqual([]);
    await context.db.query(sql`
      insert into rescans (network, from_number, to_number, next_number, goes_down)
      values ('devnet', ${blockNumber}, ${blockNumber}, ${blockNumber}, false)`);
    const { id = 0 } = (await findOpenRescan(context.db, "devnet")) ?? {};
    await runRescan(context, scanner, id);
    expect(await deposit()).toMatchObject({ status: "FAILED", failureReason: "rejected" });
    expect(await broken()).toEqual([]);
  });

  it("that was rejected returns only if it is accepted, is confirmed once, accuses no node, and the doctor finds nothing broken", async () => {
    await decide("rejected");
    await mine(1);
    const raised = await alarms(context);
    const { id } = await decide("accepted");
    const fetched = await findOpenRescan(context.db, "devnet");
    await runRescan(context, await mine(1), fetched?.id ?? 0);
    expect((await deposit()).status).not.toBe("FAILED");
    await mine(2);
    expect(await deposit()).toMatchObject({ status: "CONFIRMED", failureReason: null });
    expect((await announced()).filter((type) => type === "deposit.confirmed")).toHaveLength(1);
    expect(await broken()).toEqual([]);
    expect((await history(id)).map(({ action }) => action)).toEqual(["deposit reject", "deposit accept"]);
    expect(await alarms(context)).toEqual(raised);
  });

  it("that was rejected is not confirmed even if its balance arrives before the next step", async () => {
    const { id } = await decide("rejected");
    await context.db.query(
      sql`update deposit_checks set result = 'passed' where merchant_id = ${merchantId} and deposit_id = ${id}`,
    );
    await mine(1);
    expect((await deposit()).status).toBe("FAILED");
  });
});

describe("a decision", () => {
  it("is refused for a missing deposit, one that does not wait, and one that was rejected", async () => {
    const refused = (fetched: Promise<unknown>, message: string) =>
      expect(fetched).rejects.toThrow(new NotDecidableError(message));
    const unknownId = "01926f00-0000-7000-8000-000000000000";
    await refused(decide("accepted", unknownId), `there is no deposit ${unknownId} on devnet`);
    await refused(decide("accepted", "A-1042"), "there is no deposit A-1042 on devnet");
    const { id } = await decide("rejected");
    await mine(1);
    await refused(decide("rejected"), `deposit ${id} was rejected already`);
  });

  it("is refused for a CONFIRMED deposit", async () => {
    const { id } = await decide("accepted");
    await mine(1);
    await expect(decide("rejected")).rejects.toThrow(
      `deposit ${id} is CONFIRMED: only a STUCK deposit waits for a decision`,
    );
  });

  it("stays in the audit log: the service can neither change nor delete it", async () => {
    await decide("accepted");
    await expect(context.db.query(sql`update audit_log set reason = 'another'`)).rejects.toThrow(
      "permission",
    );
    await expect(context.db.query(sql`delete from audit_log`)).rejects.toThrow("permission");
  });
});
