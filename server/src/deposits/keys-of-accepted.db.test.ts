import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { aScanner, nodeGroup, scanToRest, type TestReader } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StrangeBlockError } from "../chain/node-error.ts";
import { insertAccepted } from "./acceptance-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
  await aMerchant(context.db);
});
afterEach(() => context.close());

const keys = () =>
  context.owner.query<{ witness: string; signer: string }>(
    sql`select witness, signer from witness_keys order by witness`,
  );
const solidNumber = async () => {
  const [row] = await context.owner.query<{ solid: bigint }>(
    sql`select solid_number as solid from scan_cursors`,
  );
  return Number(row?.solid);
};

it("a key that a block names is not learned where an operator accepted the block although its root does not hold", async () => {
  const chain = createForkChain(Date.now());
  chain.mine(30);
  await scanToRest(context, await aScanner(context, chain.reader));
  const before = await keys();
  chain.mine(1);
  const { number: at, id } = await chain.reader.getHeadBlock();
  const signerHex = `41${"66".repeat(20)}`;
  const liar: TestReader = {
    ...chain.reader,
    fetchCompleteBlock: async (...asked) => {
      const block = await chain.reader.fetchCompleteBlock(...asked);
      if (asked[0] !== at) return block;
      const transactions = before.map(({ witness: witnessHex }, n) => ({
        txId: n.toString(16).padStart(64, "a"),
        contractRet: "SUCCESS",
        expirationMs: undefined,
        contract: { kind: "other" as const, namedKey: { witnessHex, signerHex } },
      }));
      const told = { ...block, transactions, infos: [], isAccepted: true as const };
      throw new StrangeBlockError("liar", told, { reason: "root", checks: ["root"] });
    },
  };
  const word = { told: "root", reason: "a new result", acceptedBy: "Ada" };
  await insertAccepted(context.db, "devnet", {
    ...word,
    blockId: id,
    blockNumber: at,
    until: at,
    checks: ["root"],
  });
  chain.mine(60);
  const scanner = await aScanner(context, nodeGroup(liar));
  await scanToRest(context, scanner);
  expect(await solidNumber()).toBeGreaterThan(at);
  expect(before.length).toBeGreaterThan(0);
  expect(await keys()).toEqual(before);
  chain.mine(60);
  await scanToRest(context, scanner);
  expect(await solidNumber()).toBeGreaterThan(at + 60);
});
