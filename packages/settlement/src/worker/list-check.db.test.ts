import { sql } from "@daric/postgres/sql";
import { findAudited } from "@daric/runtime/audit-store";
import { anAddress } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { alarms, listening } from "@daric/testing/watch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createListCheck } from "./watch.ts";

let made: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  made = await createTestContext();
});
afterAll(() => made.close());

/** An entry of the signer's list, which the signer saw this long ago. */
const anEntry = (counter: number, ago = "0 s") =>
  made.owner.query(sql`
    insert into signer_destinations (counter, merchant_id, name, address, fee_ceiling, seen_at, acts_from)
    values (${counter}, 'operator', 'Operator', ${anAddress()}, '{}', now() - ${ago}::interval, now())`);

/** A process of settlement that starts now, and the entries that it has named. */
function aProcess() {
  const { context, lines } = listening(made);
  return {
    check: createListCheck(context),
    named: () => lines.map(({ event, counter }) => `${event} ${counter}`),
  };
}

it("each entry of the signer's list raises one alarm, also one that came while settlement was stopped, and a restart repeats none", async () => {
  const first = aProcess();
  await anEntry(1);
  await first.check();
  await first.check();
  await anEntry(2);
  await first.check();
  await first.check();
  expect(first.named()).toEqual(["new_destination 1", "new_destination 2"]);
  expect(await alarms(made)).toEqual({ new_destination: 2 });

  await anEntry(3, "30 hours");
  const second = aProcess();
  for (let n = 0; n < 3; n += 1) await second.check();
  expect(second.named()).toEqual(["new_destination 3"]);
  const third = aProcess();
  await third.check();
  expect(third.named()).toEqual([]);
  expect(await alarms(made)).toEqual({ new_destination: 3 });
});

it("an entry is in the audit log one check after its alarm, so that a process that ends sooner loses no alarm", async () => {
  await anEntry(4);
  const first = aProcess();
  await first.check();
  const subject = "entry 4 of the signer's list";
  expect(await findAudited(made.db, [subject])).toEqual(new Set());
  const second = aProcess();
  await second.check();
  await second.check();
  expect(second.named()).toEqual(["new_destination 4"]);
  expect(
    await made.db.query(sql`select actor, action, after from audit_log where subject = ${subject}`),
  ).toEqual([
    {
      actor: "daric-signer",
      action: "approve",
      after: {
        merchantId: "operator",
        name: "Operator",
        address: expect.any(String),
        actsFrom: expect.any(String),
      },
    },
  ]);
});
