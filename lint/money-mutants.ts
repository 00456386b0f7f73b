import { brokenBy } from "@daric/testing/contract/broken-source";
import type { Mutant, TestRun } from "./mutant-yard.ts";

/** A rule of the path of the money: what would be lost with it, where it stands, and which tests must miss it. */
type Rule = {
  readonly name: string;
  readonly breaches: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  readonly readers: readonly TestRun[];
};

const db = (...files: string[]): TestRun => ({ project: "db", files });
const unit = (...files: string[]): TestRun => ({ project: "unit", files });

const DEPOSITS = "server/src/deposits/";
const CHAIN = "server/src/chain/";
const CHARGES = "server/src/charges/";
/** Both rooms in which the chain becomes money, after the test that should know. */
const inDeposits = (...files: string[]): TestRun[] => [
  db(...files.map((file) => `${DEPOSITS}${file}`)),
  db(DEPOSITS),
];
const inChain = (...files: string[]): TestRun[] => [
  unit(...files.map((file) => `${CHAIN}${file}`)),
  unit(CHAIN),
  db(DEPOSITS),
];
const MOVING =
  "    await moveCursor(tx, { ...scope, from: cursor, to, runs: recorded.map(({ folded }) => folded.outline) });\n";
const asserted = "    await assertLease(tx, lease);\n";

const rules: readonly Rule[] = [
  {
    name: "a deposit above the solid block is confirmed",
    breaches: [
      {
        file: `${DEPOSITS}confirm-deposits.ts`,
        from: "statuses, to: solid.number",
        to: "statuses, to: cursor.number",
      },
      {
        file: `${DEPOSITS}status-store.ts`,
        from: `d.block_number <= least(\${solid.number}, \${upTo}::bigint) and `,
        to: "",
      },
    ],
    readers: inDeposits("follow-solidity.db"),
  },
  {
    name: "18 confirmations are enough",
    breaches: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: "d.required_confirmations - 1 <=",
        to: "d.required_confirmations - 2 <=",
      },
    ],
    readers: inDeposits("follow-solidity.db"),
  },
  {
    name: "a block's parent is not compared",
    breaches: [{ file: `${DEPOSITS}scan-chain.ts`, from: "header.parentId !== below.id", to: "false" }],
    readers: inDeposits("scan-chain.db", "follow-fork.db"),
  },
  {
    name: "a failed native transfer is credited",
    breaches: [
      {
        file: `${CHAIN}decode-transfers.ts`,
        from: 'if (transaction.contractRet === "SUCCESS") decodeNative(',
        to: "decodeNative(",
      },
    ],
    readers: inChain("decode-transfers.test"),
  },
  {
    name: "after a fork it is not judged again whether the late window is over",
    breaches: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: `      past_window = coalesce(\${block.time} > before.late_until, false),\n`,
        to: "",
      },
    ],
    readers: inDeposits("follow-solidity.db"),
  },
  {
    name: "what came late is confirmed before the end of its order is told",
    breaches: [{ file: `${DEPOSITS}follow-solidity.ts`, from: ", late: false };", to: " };" }],
    readers: inDeposits("follow-solidity.db"),
  },
  {
    name: "the end of an order is told by whatever is confirmed",
    breaches: [
      {
        file: `${CHARGES}close-charges.ts`,
        from: "total: charge.received.onTime }",
        to: "}",
      },
    ],
    readers: [db(`${CHARGES}close-charges.db`)],
  },
  {
    name: "any contract is USDT",
    breaches: [
      {
        file: `${CHAIN}decode-transfers.ts`,
        from: "const isUsdt = log.addressHex === usdtAddressHex;",
        to: "const isUsdt = true;",
      },
    ],
    readers: inChain("decode-transfers.test"),
  },
  {
    name: "a deposit moves from whatever status it has",
    breaches: [
      {
        file: `${DEPOSITS}open-store.ts`,
        from: `\n    where held.status in (\${literals(...statuses)})`,
        to: "",
      },
      {
        file: `${DEPOSITS}status-store.ts`,
        from: `where held.status in (\${literals(...depositMachine.edge("included").from)})`,
        to: "",
      },
    ],
    readers: inDeposits("status-store.db", "record-transfers.db"),
  },
  {
    name: "the cursor moves before the transaction of its block",
    breaches: [
      { file: `${DEPOSITS}scan-block.ts`, from: MOVING, to: "" },
      {
        file: `${DEPOSITS}scan-block.ts`,
        from: "  const { recorded, isTold, to } = await context.db.transaction(async (tx) => {",
        to: `  await context.db.transaction((tx) => moveCursor(tx, { ...scope, from: cursor, to: blocks.map(({ outline }) => blockOf(outline.header)).at(-1) ?? cursor, runs: blocks.map(({ outline }) => outline) }));
  const { recorded, isTold, to } = await context.db.transaction(async (tx) => {`,
      },
    ],
    readers: inDeposits("scan-block.db", "scan-runs.db"),
  },
  {
    name: "the fee on top is rounded down",
    breaches: [
      { file: "server/src/domain/money.ts", from: "BASIS_POINTS + divisor - 1n)", to: "BASIS_POINTS)" },
    ],
    readers: [unit("server/src/domain/")],
  },
  {
    name: "the first block that a fork replaces keeps its deposits",
    breaches: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: "statuses: orphaned.from, from: above + 1",
        to: "statuses: orphaned.from, from: above + 2",
      },
    ],
    readers: inDeposits("status-store.db"),
  },
  {
    name: "dust begins a unit earlier",
    breaches: [
      { file: "server/src/sums/sums-store.ts", from: "units >= case currency", to: "units > case currency" },
    ],
    readers: [db(`${CHARGES}charge.db`), db(CHARGES), db("server/src/sums/")],
  },
  {
    name: "who is paused in a transaction keeps the lease's row",
    breaches: [
      {
        file: "server/src/runtime/lease-store.ts",
        from: "set_config('idle_in_transaction_session_timeout',",
        to: "set_config('application_name',",
      },
    ],
    readers: [db("server/src/runtime/lease.db")],
  },
  {
    name: "the filter of addresses goes on behind transactions that are still running",
    breaches: [
      {
        file: "server/src/addresses/directory-store.ts",
        from: "pg_snapshot_xmin(pg_current_snapshot())::text::bigint as beyond",
        to: "pg_snapshot_xmax(pg_current_snapshot())::text::bigint as beyond",
      },
    ],
    readers: [db("server/src/addresses/owner-finder.db")],
  },
  {
    name: "the epoch of the lease is not compared",
    breaches: [
      {
        file: "server/src/runtime/lease.ts",
        from: "if (!isOurs) throw",
        to: "if (false) throw",
      },
    ],
    readers: [db("server/src/runtime/lease.db"), ...inDeposits("scan-chain.db")],
  },
  {
    name: "nothing is late",
    breaches: [
      {
        file: `${DEPOSITS}store.ts`,
        from: `coalesce(\${block.time} > charge.expires_at, false)`,
        to: "false",
      },
    ],
    readers: inDeposits("record-transfers.db", "scan-chain.db"),
  },
  {
    name: "of what lacks its balance the same blocks are read again for ever",
    breaches: [
      {
        file: `${DEPOSITS}ask-quorum.ts`,
        from: ".toSorted((a, b) => askedAt(a) - askedAt(b))",
        to: "",
      },
    ],
    readers: inDeposits("clear-by-balance.db"),
  },
  {
    name: "a block that no node tells of keeps all others from being read again",
    breaches: [
      {
        file: `${DEPOSITS}ask-quorum.ts`,
        from: "    noteAsked(memory, asking);\n",
        to: "",
      },
    ],
    readers: inDeposits("clear-by-balance.db"),
  },
  {
    name: "what was made up holds up what is late",
    breaches: [
      {
        file: `${DEPOSITS}judge-balance.ts`,
        from: "!deposit.isRefuted || held.includes(deposit)",
        to: "true",
      },
    ],
    readers: [unit(`${DEPOSITS}judge-balance`), db(DEPOSITS)],
  },
  {
    name: "a payment that one node told elsewhere in its transaction is credited once more",
    breaches: [
      {
        file: `${DEPOSITS}leave-out-moved.ts`,
        from: "!moved.has(one)),",
        to: "true),",
      },
    ],
    readers: inDeposits("rescan-liars.db"),
  },
  {
    name: "a deposit whose block left the chain is confirmed",
    breaches: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: "where b.id = d.block_id and b.orphaned_at is null)`",
        to: "where b.id = d.block_id)`",
      },
    ],
    readers: inDeposits("status-store.db", "follow-solidity.db"),
  },
  {
    name: "a transaction is dropped by the time of the head",
    breaches: [
      {
        file: `${DEPOSITS}follow-solidity.ts`,
        from: "failDeposits(context, tx, { scope, solid })",
        to: "failDeposits(context, tx, { scope, solid: cursor })",
      },
    ],
    readers: inDeposits("follow-solidity.db", "follow-fork.db"),
  },
  {
    name: "a transaction that did not pay fails its deposit before its block is solid",
    breaches: [
      { file: `${DEPOSITS}status-store.ts`, from: ` and b.number <= \${solid.number})\``, to: ")`" },
    ],
    readers: inDeposits("follow-solidity.db", "follow-fork.db"),
  },
  {
    name: "infos of another time are believed",
    breaches: [
      { file: `${CHAIN}complete-block.ts`, from: "info.blockTimeMs !== header.timeMs", to: "false" },
    ],
    readers: inChain("node.test"),
  },
  {
    name: "verdicts of block and info are not compared",
    breaches: [
      {
        file: `${CHAIN}complete-block.ts`,
        from: 'receiptResult !== contractRet && (receiptResult !== undefined || contract.kind === "vm")',
        to: "false",
      },
    ],
    readers: inChain("node.test"),
  },
  {
    name: "the solid block's id is not compared",
    breaches: [
      {
        file: `${DEPOSITS}prove-solid.ts`,
        from: "ours === undefined || ours.blockId === told.id",
        to: "true",
      },
    ],
    readers: inDeposits("solid-contradiction.db"),
  },
  {
    name: "money of the other currency counts",
    breaches: [
      {
        file: "server/src/sums/sums-store.ts",
        from: "const isConfirmed = sql`not unmatched and ",
        to: "const isConfirmed = sql`",
      },
    ],
    readers: inDeposits("judge-deposits.db"),
  },
  {
    name: "the walk back goes below what is solid",
    breaches: [
      { file: `${DEPOSITS}follow-fork.ts`, from: "number >= cursor.solidNumber", to: "number >= 0" },
    ],
    readers: inDeposits("follow-fork.db", "follow-solidity.db"),
  },
  {
    name: "a block that left the chain does not come back",
    breaches: [
      {
        file: `${DEPOSITS}block-store.ts`,
        from: "set orphaned_at = null, signer",
        to: "set signer",
      },
    ],
    readers: inDeposits("block-store.db", "follow-fork.db"),
  },
  {
    name: "what is solid falls",
    breaches: [{ file: `${DEPOSITS}block-store.ts`, from: ` and solid_number < \${number}\``, to: "`" }],
    readers: inDeposits("block-store.db", "follow-solidity.db"),
  },
  {
    name: "the amount is not read again after a fork",
    breaches: [{ file: `${DEPOSITS}status-store.ts`, from: " units = before.seen_units,", to: "" }],
    readers: inDeposits("record-transfers.db", "scan-chain.property.db"),
  },
  {
    name: "an order expires while a deposit that came on time is not final",
    breaches: [{ file: `${CHARGES}status-store.ts`, from: "and sums.open_on_time > 0)`", to: "and false)`" }],
    readers: [db(`${CHARGES}close-charges.db`), db(CHARGES), ...inDeposits("follow-solidity.db")],
  },
  {
    name: "an order expires in the last block that is on time",
    breaches: [
      {
        file: `${CHARGES}status-store.ts`,
        from: `charge.expires_at < \${chainTime}`,
        to: `charge.expires_at <= \${chainTime}`,
      },
    ],
    readers: [db(`${CHARGES}close-charges.db`), db(CHARGES), ...inDeposits("follow-solidity.db")],
  },
  {
    name: "money after the late window pays",
    breaches: [
      {
        file: "server/src/domain/order.ts",
        from: 'if (isPaid(terms, confirmed.inWindow)) outcomes.push("paid");',
        to: 'if (isPaid(terms, confirmed.total)) outcomes.push("paid");',
      },
    ],
    readers: [unit("server/src/domain/order"), db(`${CHARGES}settle-orders.db`), db(CHARGES)],
  },
  {
    name: "a block that is missing on the walk back counts as another one",
    breaches: [
      {
        file: `${DEPOSITS}follow-fork.ts`,
        from: "if (block === undefined) throw new IncompleteBlockError(node.label, number);",
        to: 'if (block === undefined) return { number, blockId: "", time: new Date(0) };',
      },
    ],
    readers: inDeposits("follow-fork.db", "scan-chain.db"),
  },
  {
    name: "a holder that comes back after it gave its lease up keeps the epoch",
    breaches: [
      {
        file: "server/src/runtime/lease-store.ts",
        from: "held.holder = excluded.holder and not held.is_free then",
        to: "held.holder = excluded.holder then",
      },
    ],
    readers: [db("server/src/runtime/lease.db")],
  },
  {
    name: "a leader that was replaced confirms, fails and expires",
    breaches: [{ file: `${DEPOSITS}follow-solidity.ts`, from: asserted, to: "" }],
    readers: inDeposits("follow-solidity.db"),
  },
  {
    name: "a leader that was replaced follows a fork",
    breaches: [{ file: `${DEPOSITS}go-back.ts`, from: "  await assertLease(tx, lease);\n", to: "" }],
    readers: inDeposits("follow-fork.db"),
  },
  {
    name: "a leader that was replaced reads a block",
    breaches: [{ file: `${DEPOSITS}scan-block.ts`, from: asserted, to: "" }],
    readers: inDeposits("scan-chain.db"),
  },
  {
    name: "a leader that was replaced begins to read",
    breaches: [{ file: `${DEPOSITS}start-cursor.ts`, from: asserted, to: "" }],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "the cursor moves from any block of its height",
    breaches: [
      {
        file: `${DEPOSITS}block-store.ts`,
        from: `block_id = \${input.from.blockId} and number =`,
        to: "number =",
      },
    ],
    readers: inDeposits("block-store.db"),
  },
  {
    name: "infos are not counted",
    breaches: [
      {
        file: `${CHAIN}complete-block.ts`,
        from: "if (infos.length !== transactions.length)",
        to: "if (infos.length < 0)",
      },
    ],
    readers: inChain("node.test"),
  },
  {
    name: "reading begins a block too late",
    breaches: [
      { file: `${DEPOSITS}start-cursor.ts`, from: "Math.max(0, first - 1)", to: "Math.max(0, first)" },
    ],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "the clocks of chain and database are the same",
    breaches: [
      {
        file: `${DEPOSITS}start-cursor.ts`,
        from: "firstCharge.getTime() - CLOCK_MARGIN_MS",
        to: "firstCharge.getTime()",
      },
    ],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "what a thread is told of an old block is taken as it is told",
    breaches: [
      {
        file: `${CHAIN}told-answers.ts`,
        from: `requireComplete("a node", { ...told, usdtContractHex });`,
        to: "{ ...told.block, infos: told.infos, signerHex: undefined };",
      },
    ],
    readers: [unit(`${CHAIN}told-answers.test`)],
  },
  {
    name: "another block than the one asked for is taken where it is old",
    breaches: [
      {
        file: `${CHAIN}fetch-folded.ts`,
        from: "outline?.header.number !== number",
        to: "outline === undefined",
      },
    ],
    readers: [{ project: "io", files: [`${CHAIN}folded-blocks.io`] }],
  },
  {
    name: "who is paid is no party of a block",
    breaches: [
      {
        file: `${CHAIN}folded-block.ts`,
        from: "of transfers) parties.push(fromHex, toHex);",
        to: "of transfers) parties.push(fromHex);",
      },
    ],
    readers: inDeposits("scan-chain.db"),
  },
  {
    name: "an order is settled without its row",
    breaches: [
      {
        file: `${CHARGES}status-store.ts`,
        from: "and kind = 'order'\n    order by merchant_id, id for no key update`",
        to: "and kind = 'order'\n    order by merchant_id, id`",
      },
    ],
    readers: [db(`${CHARGES}accept-charge.db`), db(CHARGES), db(DEPOSITS)],
  },
];

/** Each rule without which money would be missed, invented, lost or stuck, taken away; and the tests that must miss it. */
export const moneyMutants: readonly Mutant[] = rules.map(({ name, breaches, readers }) => ({
  name: `money: ${name}`,
  changes: new Map(
    breaches.map(({ file }) => [
      file,
      (source: string): string =>
        breaches
          .filter((breach) => breach.file === file)
          .reduce((broken, breach) => brokenBy(broken, breach), source),
    ]),
  ),
  readers,
}));
