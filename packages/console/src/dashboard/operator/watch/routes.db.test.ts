import { insertRescan } from "@daric/deposits/rescan/rescan-store";
import { insertHalt } from "@daric/deposits/verify/halt-store";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { afterAll, beforeAll, expect, it } from "vitest";
import { alerts } from "../../../alerts/alerts.ts";
import { listOpen } from "../../../alerts/occurrence-store.ts";
import { saveChanges } from "../../../alerts/save-changes.ts";
import { findServiceStanding } from "../../live/standing-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let operator: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  operator = await signedIn(app, await aPerson(context, { isOperator: true }));
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const url = "/dashboard/v1/operator";
const read = async (path: string) => (await operator.send(`${url}/${path}`)).body.data;

it("operators read each alert with since when, what it says and the path of its runbook", async () => {
  const conditionOf = (name: string, labels: object, hasStarted: boolean) => {
    const alert = alerts.find((alert) => alert.name === name) ?? expect.fail(name);
    return { alert, labels: JSON.stringify(labels), summary: `${name} says so`, hasStarted };
  };
  const save = (verdict: object, at: Date) =>
    context.db.transaction((tx) =>
      saveChanges(context, tx, {
        changes: { begun: [], held: [], ended: [], dropped: [], ...verdict },
        now: at,
      }),
    );
  const before = await findServiceStanding(context.db);
  await save(
    { begun: [conditionOf("DaricNoRate", { currency: "TRX" }, true)] },
    new Date("2026-11-01T10:00:00Z"),
  );
  const rows = await listOpen(context.db);
  await save({ ended: rows }, new Date("2026-11-01T11:00:00Z"));
  await save(
    { begun: [conditionOf("DaricAlarm", { alarm: "sweep_frozen" }, true)] },
    new Date("2026-11-02T10:00:00Z"),
  );
  await save({ begun: [conditionOf("DaricNoLeader", {}, false)] }, new Date("2026-11-02T11:00:00Z"));
  expect(await findServiceStanding(context.db)).not.toBe(before);
  expect(await read("alerts")).toEqual([
    {
      id: expect.any(String),
      alert: "DaricNoLeader",
      severity: "critical",
      state: "pending",
      summary: "DaricNoLeader says so",
      runbook: "/docs/alerts#no-leader",
      since: "2026-11-02T11:00:00.000Z",
      ended_at: null,
    },
    expect.objectContaining({ alert: "DaricAlarm", state: "open", runbook: "/docs/operations#sweep_frozen" }),
    expect.objectContaining({ alert: "DaricNoRate", state: "over", ended_at: "2026-11-01T11:00:00.000Z" }),
  ]);
});

it("operators read the forks, what each node said at a halt, and the ranges that were read again", async () => {
  const { network } = context.config.chain;
  const id = (number: number, branch: string) => `${branch}${String(number).padStart(63, "0")}`;
  for (const [number, branch] of [
    [10, "a"],
    [11, "a"],
    [12, "b"],
    [13, "c"],
  ] as const)
    await context.owner.query(sql`
      insert into blocks (id, network, number, parent_id, time, transaction_count, transfer_count, leader_epoch, orphaned_at)
      values (${id(number, branch)}, ${network}, ${number}, ${id(number - 1, branch)}, now(), 0, 0, 1,
        ${branch === "a" ? new Date("2026-11-01T10:00:00Z") : branch === "b" ? new Date("2026-11-02T10:00:00Z") : null})`);
  const halt = { number: 9, ourId: id(9, "a"), theirId: id(9, "b"), nodes: "one says b; two says b" };
  await context.db.transaction((tx) => insertHalt(tx, { network, ...halt }));
  await insertRescan(context.owner, { network, from: 3, to: 8, goesDown: false });
  const { forks, halts, rescans } = await read("chain");
  expect(forks).toEqual([
    { at: "2026-11-02T10:00:00.000Z", from_block: 12, to_block: 12, blocks: 1 },
    { at: "2026-11-01T10:00:00.000Z", from_block: 10, to_block: 11, blocks: 2 },
  ]);
  expect(halts).toMatchObject([
    { block: 9, nodes: halt.nodes, resumed_at: null, ended_at: null, went_on_from: null },
  ]);
  expect(rescans).toMatchObject([
    { from_block: 3, to_block: 8, status: "WAITING", blocks_read: 0, nodes: [] },
  ]);
});

it("no other person reads them", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const owner = await signedIn(
    app,
    await aPerson(context, { places: [{ merchantId, role: "owner" }] }),
    merchantId,
  );
  for (const path of ["alerts", "chain"]) expect((await owner.send(`${url}/${path}`)).status).toBe(403);
});
