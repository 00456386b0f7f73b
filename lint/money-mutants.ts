import type { Mutant, TestRun } from "./mutant-sandbox.ts";

/** A change of source text: `from` occurs exactly once. */
type Mutation = { readonly file: string; readonly from: string; readonly to: string };

/** A rule for money: its violation, its place, and the tests that must fail without it. */
type Rule = {
  readonly name: string;
  readonly mutations: readonly Mutation[];
  readonly readers: readonly TestRun[];
};

const db = (...files: string[]): TestRun => ({ project: "db", files });
const unit = (...files: string[]): TestRun => ({ project: "unit", files });

const DEPOSITS = "packages/deposits/src/";
const VERIFY = `${DEPOSITS}verify/`;
const FOLLOW = `${DEPOSITS}follow/`;
const CHAIN = "packages/chain/src/";
const BLOCKS = `${CHAIN}blocks/`;
const CHARGES = "packages/charges/src/";
/** The test that should fail, then both folders between the chain and the money. */
const inDeposits = (...files: string[]): TestRun[] => [db(...files), db(DEPOSITS)];
/** The tests of the quorum's votes, and the folder that uses them. */
const inVotes = (): TestRun[] => [unit(`${VERIFY}agree.test`), unit(`${VERIFY}agree.property`)];
const inVerify = (...files: string[]): TestRun[] => [
  db(...files.map((file) => `${VERIFY}${file}`)),
  db(VERIFY),
];
const inChain = (...files: string[]): TestRun[] => [
  unit(...files.map((file) => `${BLOCKS}${file}`)),
  unit(CHAIN),
  db(DEPOSITS),
];
const MOVING =
  "    await moveCursor(tx, { ...scope, from: cursor, to, runs: recorded.map(({ lazy }) => lazy.summary) });\n";
const asserted = "    await assertLease(tx, lease);\n";

const rules: readonly Rule[] = [
  {
    name: "a deposit above the solid block is confirmed",
    mutations: [
      {
        file: `${VERIFY}confirm-deposits.ts`,
        from: "statuses, to: solid.number",
        to: "statuses, to: cursor.number",
      },
      {
        file: `${VERIFY}finality-store.ts`,
        from: `d.block_number <= \${solid.number} and `,
        to: "",
      },
    ],
    readers: inDeposits("finalize.db"),
  },
  {
    name: "18 confirmations are enough",
    mutations: [
      {
        file: `${VERIFY}finality-store.ts`,
        from: "d.required_confirmations - 1 <=",
        to: "d.required_confirmations - 2 <=",
      },
    ],
    readers: inDeposits("finalize.db"),
  },
  {
    name: "a block's parent is not compared",
    mutations: [{ file: `${FOLLOW}scan-chain.ts`, from: "header.parentId !== below.id", to: "false" }],
    readers: inDeposits("scan-chain.db", "follow-fork.db"),
  },
  {
    name: "a failed native transfer is credited",
    mutations: [
      {
        file: `${BLOCKS}decode-transfers.ts`,
        from: 'if (transaction.contractRet === "SUCCESS") decodeNative(',
        to: "decodeNative(",
      },
    ],
    readers: inChain("decode-transfers.test"),
  },
  {
    name: "after a fork the late window is not checked again",
    mutations: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: `      past_window = coalesce(\${block.time} > before.late_until, false),\n`,
        to: "",
      },
    ],
    readers: inDeposits("finalize.db"),
  },
  {
    name: "late money is confirmed before the end of its order is announced",
    mutations: [
      {
        file: `${VERIFY}write-final.ts`,
        from: "cursor, solid: verified, late: false }",
        to: "cursor, solid: verified }",
      },
    ],
    readers: inDeposits("finalize.db"),
  },
  {
    name: "late money decides the event at the end of an order",
    mutations: [
      {
        file: `${CHARGES}close/close-charges.ts`,
        from: "total: charge.received.onTime }",
        to: "}",
      },
    ],
    readers: [db(`${CHARGES}close/close-charges.db`)],
  },
  {
    name: "any contract is USDT",
    mutations: [
      {
        file: `${BLOCKS}decode-transfers.ts`,
        from: "const token = byAddress.get(log.addressHex);",
        to: "const token = tokens[0];",
      },
    ],
    readers: inChain("decode-transfers.test"),
  },
  {
    name: "a deposit moves from any status",
    mutations: [
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
    mutations: [
      { file: `${FOLLOW}scan-block.ts`, from: MOVING, to: "" },
      {
        file: `${FOLLOW}scan-block.ts`,
        from: "  const { recorded, hasEvents, to } = await context.db.transaction(async (tx) => {",
        to: `  await context.db.transaction((tx) => moveCursor(tx, { ...scope, from: cursor, to: blocks.map(({ summary }) => blockOf(summary.header)).at(-1) ?? cursor, runs: blocks.map(({ summary }) => summary) }));
  const { recorded, hasEvents, to } = await context.db.transaction(async (tx) => {`,
      },
    ],
    readers: inDeposits("scan-block.db", "scan-runs.db"),
  },
  {
    name: "the fee on top is rounded down",
    mutations: [
      { file: "packages/domain/src/money.ts", from: "BASIS_POINTS + divisor - 1n)", to: "BASIS_POINTS)" },
    ],
    readers: [unit("packages/domain/src/")],
  },
  {
    name: "the first block that a fork replaces keeps its deposits",
    mutations: [
      {
        file: `${DEPOSITS}status-store.ts`,
        from: "statuses: orphanedEdge.from, from: above + 1",
        to: "statuses: orphanedEdge.from, from: above + 2",
      },
    ],
    readers: inDeposits("status-store.db"),
  },
  {
    name: "dust begins a unit earlier",
    mutations: [
      {
        file: "packages/totals/src/sums-store.ts",
        from: "units} < $",
        to: "units} <= $",
      },
    ],
    readers: [db(`${CHARGES}charge.db`), db(CHARGES), db("packages/totals/src/")],
  },
  {
    name: "a watcher paused in a transaction keeps the lease's row",
    mutations: [
      {
        file: "packages/runtime/src/lease-store.ts",
        from: "set_config('idle_in_transaction_session_timeout',",
        to: "set_config('application_name',",
      },
    ],
    readers: [db("packages/runtime/src/lease.db")],
  },
  {
    name: "the address filter's position passes transactions that are still running",
    mutations: [
      {
        file: "packages/addresses/src/directory-store.ts",
        from: "pg_snapshot_xmin(pg_current_snapshot())::text::bigint as beyond",
        to: "pg_snapshot_xmax(pg_current_snapshot())::text::bigint as beyond",
      },
    ],
    readers: [db("packages/addresses/src/owner-finder.db")],
  },
  {
    name: "the epoch of the lease is not compared",
    mutations: [
      {
        file: "packages/runtime/src/lease.ts",
        from: "if (!isOurs) throw",
        to: "if (false) throw",
      },
    ],
    readers: [db("packages/runtime/src/lease.db"), ...inDeposits("scan-chain.db")],
  },
  {
    name: "nothing is late",
    mutations: [
      {
        file: `${DEPOSITS}store.ts`,
        from: `coalesce(\${block.time} > charge.expires_at, false)`,
        to: "false",
      },
    ],
    readers: inDeposits("record-transfers.db", "scan-chain.db"),
  },
  {
    name: "a deposit whose block left the chain is confirmed",
    mutations: [
      {
        file: `${VERIFY}finality-store.ts`,
        from: "found where found.orphaned_at is null)`",
        to: "found)`",
      },
    ],
    readers: inDeposits("status-store.db", "finalize.db"),
  },
  {
    name: "a transaction is dropped by the time of the head",
    mutations: [
      {
        file: `${VERIFY}write-final.ts`,
        from: "failDeposits(context, tx, { scope, solid: verified })",
        to: "failDeposits(context, tx, { scope, solid: cursor })",
      },
    ],
    readers: inDeposits("finalize.db", "follow-fork.db"),
  },
  {
    name: "a transaction that did not pay fails its deposit before its block is solid",
    mutations: [
      { file: `${DEPOSITS}status-store.ts`, from: ` and b.number <= \${solid.number})\``, to: ")`" },
    ],
    readers: inDeposits("finalize.db", "follow-fork.db"),
  },
  {
    name: "infos of another block time are accepted",
    mutations: [
      { file: `${BLOCKS}complete-block.ts`, from: "info.blockTimeMs !== header.timeMs", to: "false" },
    ],
    readers: inChain("complete-block.test"),
  },
  {
    name: "the results of block and info are not compared",
    mutations: [
      {
        file: `${BLOCKS}complete-block.ts`,
        from: 'receiptResult !== contractRet && (receiptResult !== undefined || contract.kind === "vm")',
        to: "false",
      },
    ],
    readers: inChain("complete-block.test"),
  },
  {
    name: "one witness less makes a block solid",
    mutations: [{ file: `${VERIFY}solid-height.ts`, from: "/ 10) + 1", to: "/ 10)" }],
    readers: [unit(`${VERIFY}solid-height.test`)],
  },
  {
    name: "the block 17 below the head is solid",
    mutations: [
      { file: `${VERIFY}solid-height.ts`, from: "head - MIN_SOLID_LAG", to: "head - MIN_SOLID_LAG + 1" },
    ],
    readers: [unit(`${VERIFY}solid-height.test`)],
  },
  {
    name: "a witness of a block that left the chain counts",
    mutations: [
      { file: `${DEPOSITS}block-store.ts`, from: "orphaned_at is null and witness", to: "witness" },
    ],
    readers: inDeposits("solid-height.db"),
  },
  {
    name: "with a quorum one node is enough to begin",
    mutations: [{ file: `${FOLLOW}start-cursor.ts`, from: "agreeing >= needed", to: "agreeing >= 1" }],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "money of the other currency counts",
    mutations: [
      {
        file: "packages/totals/src/sums-store.ts",
        from: "const isConfirmed = sql`not unmatched and ",
        to: "const isConfirmed = sql`",
      },
    ],
    readers: inDeposits("quote-store.db"),
  },
  {
    name: "a fork is followed below the solid block",
    mutations: [{ file: `${FOLLOW}follow-fork.ts`, from: "number >= cursor.solidNumber", to: "number >= 0" }],
    readers: inDeposits("follow-fork.db", "finalize.db"),
  },
  {
    name: "a block that returns to the chain stays orphaned",
    mutations: [
      {
        file: `${DEPOSITS}block-store.ts`,
        from: "set orphaned_at = null, transfer_count",
        to: "set transfer_count",
      },
    ],
    readers: inDeposits("block-store.db", "follow-fork.db"),
  },
  {
    name: "the solid number decreases",
    mutations: [{ file: `${DEPOSITS}block-store.ts`, from: ` and solid_number < \${number}\``, to: "`" }],
    readers: inDeposits("block-store.db", "finalize.db"),
  },
  {
    name: "the amount is not read again after a fork",
    mutations: [{ file: `${DEPOSITS}status-store.ts`, from: " units = before.seen_units,", to: "" }],
    readers: inDeposits("record-transfers.db", "scan-chain.property.db"),
  },
  {
    name: "an order expires while a deposit that came on time is not final",
    mutations: [
      { file: `${CHARGES}status-store.ts`, from: "and sums.open_on_time > 0)`", to: "and false)`" },
    ],
    readers: [db(`${CHARGES}close/close-charges.db`), db(CHARGES), ...inDeposits("finalize.db")],
  },
  {
    name: "an order expires in the last block that is on time",
    mutations: [
      {
        file: `${CHARGES}status-store.ts`,
        from: `charge.expires_at < \${chainTime}`,
        to: `charge.expires_at <= \${chainTime}`,
      },
    ],
    readers: [db(`${CHARGES}close/close-charges.db`), db(CHARGES), ...inDeposits("finalize.db")],
  },
  {
    name: "money after the late window pays",
    mutations: [
      {
        file: "packages/domain/src/order.ts",
        from: 'if (isPaid(terms, confirmed.inWindow)) outcomes.push("paid");',
        to: 'if (isPaid(terms, confirmed.total)) outcomes.push("paid");',
      },
    ],
    readers: [unit("packages/domain/src/order"), db(`${CHARGES}close/settle-orders.db`), db(CHARGES)],
  },
  {
    name: "a block that a node lacks during a fork counts as another block",
    mutations: [
      {
        file: `${FOLLOW}follow-fork.ts`,
        from: "if (block === undefined) throw new IncompleteBlockError(node.label, number);",
        to: 'if (block === undefined) return { number, blockId: "", time: new Date(0) };',
      },
    ],
    readers: inDeposits("follow-fork.db", "scan-chain.db"),
  },
  {
    name: "a holder that gave up its lease and returns keeps the epoch",
    mutations: [
      {
        file: "packages/runtime/src/lease-store.ts",
        from: "held.holder = excluded.holder and not held.is_free then",
        to: "held.holder = excluded.holder then",
      },
    ],
    readers: [db("packages/runtime/src/lease.db")],
  },
  {
    name: "a leader that was replaced confirms, fails and expires",
    mutations: [
      { file: `${VERIFY}write-final.ts`, next: "  const correction" },
      { file: `${VERIFY}finalize.ts`, next: "    const confirmed" },
    ].map(({ file, next }) => ({ file, from: `${asserted.trimStart()}${next}`, to: next.trimStart() })),
    readers: inDeposits("finalize.db"),
  },
  {
    name: "a leader that was replaced follows a fork",
    mutations: [{ file: `${FOLLOW}roll-back.ts`, from: "  await assertLease(tx, lease);\n", to: "" }],
    readers: inDeposits("follow-fork.db"),
  },
  {
    name: "a leader that was replaced reads a block",
    mutations: [{ file: `${FOLLOW}scan-block.ts`, from: asserted, to: "" }],
    readers: inDeposits("scan-chain.db"),
  },
  {
    name: "a leader that was replaced begins to read",
    mutations: [{ file: `${FOLLOW}start-cursor.ts`, from: asserted, to: "" }],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "the cursor moves from any block of its height",
    mutations: [
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
    mutations: [
      {
        file: `${BLOCKS}complete-block.ts`,
        from: "if (infos.length !== transactions.length)",
        to: "if (infos.length < 0)",
      },
    ],
    readers: inChain("complete-block.test"),
  },
  {
    name: "the scan begins one block too late",
    mutations: [
      { file: `${FOLLOW}start-cursor.ts`, from: "Math.max(0, first - 1)", to: "Math.max(0, first)" },
    ],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "the scan's start has no margin for clock differences",
    mutations: [
      {
        file: `${FOLLOW}start-cursor.ts`,
        from: "firstCharge.getTime() - CLOCK_MARGIN_MS",
        to: "firstCharge.getTime()",
      },
    ],
    readers: inDeposits("start-cursor.db"),
  },
  {
    name: "a decoder thread accepts an old block without checks",
    mutations: [
      {
        file: `${BLOCKS}raw-block-response.ts`,
        from: `requireComplete("a node", { ...parsed, tokens });`,
        to: "{ ...parsed.block, infos: parsed.infos };",
      },
    ],
    readers: [unit(`${BLOCKS}raw-block-response.test`)],
  },
  {
    name: "an old block with another number than the requested one is accepted",
    mutations: [
      {
        file: `${CHAIN}nodes/old-block-reader.ts`,
        from: "summary?.header.number !== number",
        to: "summary === undefined",
      },
    ],
    readers: [{ project: "io", files: [`${BLOCKS}lazy-block.io`] }],
  },
  {
    name: "receivers are not among a block's involved addresses",
    mutations: [
      {
        file: `${BLOCKS}lazy-block.ts`,
        from: "of transfers) involved.push(fromHex, toHex);",
        to: "of transfers) involved.push(fromHex);",
      },
    ],
    readers: inDeposits("scan-chain.db"),
  },
  {
    name: "an order is settled without its row",
    mutations: [
      {
        file: `${CHARGES}status-store.ts`,
        from: "and kind = 'order'\n      order by merchant_id, id for no key update`",
        to: "and kind = 'order'\n      order by merchant_id, id`",
      },
    ],
    readers: [db(`${CHARGES}close/accept-charge.db`), db(CHARGES), db(DEPOSITS)],
  },
  {
    name: "one vote fewer than needed decides",
    mutations: [
      { file: `${VERIFY}agree.ts`, from: "nodes.length >= needed)", to: "nodes.length >= needed - 1)" },
    ],
    readers: inVotes(),
  },
  {
    name: "half of the nodes are a majority",
    mutations: [
      { file: `${DEPOSITS}settings.ts`, from: "Math.floor(nodes / 2) + 1", to: "Math.floor(nodes / 2)" },
    ],
    readers: [unit(`${DEPOSITS}settings.test`), ...inVerify("several-nodes.db")],
  },
  {
    name: "of two answers with enough votes the first wins",
    mutations: [
      {
        file: `${VERIFY}agree.ts`,
        from: "winner === undefined || rival !== undefined",
        to: "winner === undefined || (rival !== undefined && false)",
      },
    ],
    readers: inVotes(),
  },
  {
    name: "a block is verified without a second reading",
    mutations: [
      {
        file: `${VERIFY}read-blocks.ts`,
        from: "if (answers.length < needed) continue;",
        to: "if (answers.length < 0) continue;",
      },
    ],
    readers: inVerify("stuck.db", "expiry.db"),
  },
  {
    name: "an internal transfer fails if nodes do not report it",
    mutations: [
      {
        file: `${VERIFY}agree.ts`,
        from: 'question.kind === "log" ||',
        to: "question.kind !== undefined ||",
      },
    ],
    readers: inVotes(),
  },
  {
    name: "a node without support for internal transfers votes against them",
    mutations: [
      {
        file: `${VERIFY}agree.ts`,
        from: "return storesInternals || (deposits.length > 0 &&",
        to: "return storesInternals || true || (deposits.length > 0 &&",
      },
    ],
    readers: inVotes(),
  },
  {
    name: "a Merkle-proven transfer can be outvoted",
    mutations: [
      {
        file: `${VERIFY}agree.ts`,
        from: "!deposit.isMerkleProven || positions",
        to: "deposit.isMerkleProven || positions",
      },
    ],
    readers: inVotes(),
  },
  {
    name: "a node that contradicts the block's bytes has a vote",
    mutations: [
      { file: `${VERIFY}agree.ts`, from: "  if (contradicting.has(question.txId)) return false;\n", to: "" },
    ],
    readers: [unit(`${VERIFY}agree.test`), db(VERIFY)],
  },
  {
    name: "a payment without a majority is forgotten",
    mutations: [
      {
        file: `${VERIFY}agree.ts`,
        from: "waiting: [...deposits, ...noMajority].map((deposit) => ({ deposit, detail })),\n      noMajority,",
        to: "waiting: deposits.map((deposit) => ({ deposit, detail })),\n      noMajority: [],",
      },
    ],
    readers: [unit(`${VERIFY}agree.test`), db(VERIFY)],
  },
  {
    name: "a deposit that enough nodes contradict stays recorded",
    mutations: [
      {
        file: `${VERIFY}write-verified.ts`,
        from: "const ids = contradicted.map(({ id }) => id);",
        to: "const ids = contradicted.map(({ id }) => id).slice(0, 0);",
      },
    ],
    readers: inVerify("one-node.db"),
  },
  {
    name: "a reported transaction without its payment may still pay",
    mutations: [
      {
        file: `${VERIFY}write-verified.ts`,
        from: "inclusions: () => ({ txIds, completeTxIds }),",
        to: "inclusions: () => ({ txIds: txIds.slice(0, 0), completeTxIds: completeTxIds.slice(0, 0) }),",
      },
    ],
    readers: inVerify("one-node.db", "expiry.db"),
  },
  {
    name: "a deposit is confirmed without the checks that it needs",
    mutations: [
      { file: `${VERIFY}finality-store.ts`, from: ` and \${isChecked(merchantsOf(groups))}`, to: "" },
    ],
    readers: inVerify("stuck.db", "one-node.db"),
  },
  {
    name: "a check that was passed in another block counts",
    mutations: [
      {
        file: `${DEPOSITS}check-store.ts`,
        from: `and c.block_id = d.block_id and \${condition}\`;`,
        to: `and \${condition}\`;`,
      },
    ],
    readers: inDeposits("status-store.db"),
  },
  {
    name: "infos of other transactions count as a second reading",
    mutations: [
      {
        file: `${BLOCKS}decode-infos.ts`,
        from: "digestOfIds(infos) !== infosDigest",
        to: 'infosDigest === ""',
      },
    ],
    readers: [unit(`${BLOCKS}decode-infos.test`), db(VERIFY)],
  },
  {
    name: "infos of another block time count as a second reading",
    mutations: [{ file: `${BLOCKS}decode-infos.ts`, from: " || info.blockTimeMs !== timeMs", to: "" }],
    readers: [unit(`${BLOCKS}decode-infos.test`), db(VERIFY)],
  },
  {
    name: "the height of one node is the verified height",
    mutations: [{ file: `${VERIFY}agreed-height.ts`, from: "[needed - 1] ?? 0", to: "[0] ?? 0" }],
    readers: inVerify("stuck.db", "several-nodes.db"),
  },
  {
    name: "a node with another block counts as having ours",
    mutations: [
      {
        file: `${VERIFY}agreed-height.ts`,
        from: "if (theirs.id === ours) return",
        to: "if (ours !== undefined) return",
      },
    ],
    readers: inVerify("stuck.db", "solid-contradiction.db"),
  },
  {
    name: "the verified height passes a block that too few nodes confirm",
    mutations: [
      { file: `${VERIFY}verify-blocks.ts`, from: "    if (!isWaiting && !isWhole) break;\n", to: "" },
    ],
    readers: inVerify("stuck.db", "expiry.db"),
  },
  {
    name: "a waiting deposit is never checked again",
    mutations: [
      {
        file: `${VERIFY}verify-blocks.ts`,
        from: "solid < retries.dueAt",
        to: "solid > 0",
      },
    ],
    readers: inVerify("stuck.db", "one-node.db"),
  },
  {
    name: "a balance that is too low is enough",
    mutations: [
      {
        file: `${VERIFY}check-balances.ts`,
        from: "held + own.left >= own.credited",
        to: "held + own.left <= own.credited",
      },
    ],
    readers: inVerify("one-node.db"),
  },
  {
    name: "outflows are missing in the balance check",
    mutations: [{ file: `${VERIFY}check-balances.ts`, from: "held + own.left >=", to: "held >=" }],
    readers: inVerify("one-node.db"),
  },
  {
    name: "the policy hold confirms unproven transfers",
    mutations: [
      {
        file: `${VERIFY}check-balances.ts`,
        from: "hold: { isHeld: false, detail: HELD }",
        to: "hold: { isHeld: true, detail: HELD }",
      },
    ],
    readers: inVerify("one-node.db"),
  },
  {
    name: "an unknown balance is enough",
    mutations: [
      {
        file: `${VERIFY}check-balances.ts`,
        from: "balance: { isHeld: false, detail: UNKNOWN }",
        to: "balance: { isHeld: true, detail: UNKNOWN }",
      },
    ],
    readers: inVerify("one-node.db"),
  },
  {
    name: "a node that contradicts the verified chain still has a vote",
    mutations: [
      {
        file: `${VERIFY}fetch-answers.ts`,
        from: "tried.has(nodeIndex) || excluded.has(nodeIndex) ||",
        to: "tried.has(nodeIndex) ||",
      },
      { file: `${VERIFY}agreed-height.ts`, from: "judged.excluded.has(nodeIndex) ? 0 : ", to: "" },
    ],
    readers: inVerify("solid-contradiction.db", "several-nodes.db"),
  },
  {
    name: "an order expires by a block that is solid and not verified",
    mutations: [
      {
        file: `${VERIFY}write-final.ts`,
        from: "await expireCharges(context, tx, { chainTime: verified.time })",
        to: "await expireCharges(context, tx, { chainTime: cursor.time })",
      },
    ],
    readers: inVerify("expiry.db", "finalize.db"),
  },
  {
    name: "the scan halts one attempt too late",
    mutations: [
      {
        file: `${VERIFY}solid-contradiction.ts`,
        from: "count + 1 < READS_BEFORE_HALT",
        to: "count < READS_BEFORE_HALT",
      },
    ],
    readers: inVerify("solid-contradiction.db"),
  },
  {
    name: "the scan halts within a minute",
    mutations: [
      {
        file: `${VERIFY}solid-contradiction.ts`,
        from: "nowMs - sinceMs < MIN_HALT_MS",
        to: "nowMs < sinceMs",
      },
    ],
    readers: inVerify("solid-contradiction.db"),
  },
  {
    name: "a contradiction in a step that fails is forgotten",
    mutations: [
      {
        file: `${FOLLOW}follow-fork.ts`,
        from: "following.verifying = { ...following.verifying, standing };",
        to: "",
      },
    ],
    readers: inVerify("solid-contradiction.db"),
  },
  {
    name: "a node's answer for one block is used for all blocks",
    mutations: [
      {
        file: `${VERIFY}fetch-answers.ts`,
        from: `const key = \`\${nodeIndex}/\${block.blockId}\`;`,
        to: `const key = \`\${nodeIndex}\`;`,
      },
    ],
    readers: inVerify("several-nodes.db"),
  },
  {
    name: "of two different readings of a block from one node the second is believed",
    mutations: [
      {
        file: `${VERIFY}third-reading.ts`,
        from: "if (summary === answers.doubted.get(blockId)?.summary) return false;",
        to: 'if (summary !== "") return false;',
      },
    ],
    readers: inVerify("third-reading.db"),
  },
  {
    name: "a node's repeated reading is forgotten while another block is written",
    mutations: [
      {
        file: `${VERIFY}third-reading.ts`,
        from: "?.summary) return false;",
        to: "?.summary) return !answers.doubted.delete(blockId);",
      },
    ],
    readers: inVerify("third-reading.db"),
  },
  {
    name: "a range is written to a block that has left the chain",
    mutations: [
      {
        file: `${DEPOSITS}rescan/rescan-block.ts`,
        from: "fetched.ours?.isRead && !isLinked",
        to: "fetched.ours?.isRead && number < 0",
      },
    ],
    readers: inVerify("third-reading.db"),
  },
];

/**
 * Mutants of each rule without which money would be missed, invented, lost or stuck, with the tests that must
 * fail.
 */
export const moneyMutants: readonly Mutant[] = rules.map(({ name, mutations, readers }) => ({
  name: `money: ${name}`,
  changes: new Map(
    mutations.map(({ file }) => [
      file,
      (source: string): string =>
        mutations
          .filter((mutation) => mutation.file === file)
          .reduce((broken, mutation) => brokenBy(broken, mutation), source),
    ]),
  ),
  readers,
}));

/** Returns the source with the mutation. @throws Error unless `from` occurs exactly once and differs from `to`. */
function brokenBy(source: string, { file, from, to }: Mutation): string {
  const found = source.split(from).length - 1;
  if (found !== 1 || from === to) throw new Error(`${file} has ${found} times: ${from}`);
  return source.replace(from, () => to);
}
