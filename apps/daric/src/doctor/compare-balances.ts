import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { type Excess, findExcess, UnsettledError } from "./audit-balance.ts";
import type { NodeComparison } from "./compare-blocks.ts";
import type { PaidCharge } from "./deep-store.ts";
import type { Violation } from "./invariant.ts";

/** After this many failures in a row a node gets no more requests. */
const MAX_FAILURES = 5;

/** One node's answer about an address: the difference from the database, or the failure. */
type Answer =
  | { readonly label: string; readonly excess: Excess }
  | { readonly label: string; readonly fault: string };

/**
 * Compares addresses with all nodes in parallel by balance, and derives each address again. If some nodes
 * agree with the database and others do not, the nodes differ, and the database is not at fault.
 */
export async function compareBalances(
  db: Queryable,
  { nodes, network }: { nodes: readonly TronNode[]; network: Network },
  charges: readonly PaidCharge[],
): Promise<NodeComparison> {
  const results = await Promise.all(nodes.map((node) => queryNode(db, node, { charges, network })));
  const violations = [
    ...charges.flatMap(findUnderived),
    ...charges.flatMap((charge, index) =>
      violationsIn(
        charge,
        results.flatMap((answers) => answers[index] ?? []),
      ),
    ),
  ];
  const unanswered = charges.flatMap(({ address }, index) =>
    results.flatMap((answers) => {
      const answer = answers[index];
      return answer !== undefined && "fault" in answer ? [`address ${address}: ${answer.fault}`] : [];
    }),
  );
  const leftOut = results.flatMap((answers, nodeIndex) => {
    const missing = charges.length - answers.length;
    const label = nodes[nodeIndex]?.label ?? "";
    return missing === 0 ? [] : [`${missing} more addresses: ${label} failed ${MAX_FAILURES} times in a row`];
  });
  const isAnswered = (index: number) =>
    results.some((answers) => answers[index] !== undefined && "excess" in answers[index]);
  const compared = charges.filter((_, index) => isAnswered(index)).length;
  return { compared, violations, differences: [], unanswered: [...unanswered, ...leftOut] };
}

/** One node's answers about the addresses, until it fails too often. */
async function queryNode(
  db: Queryable,
  node: TronNode,
  { charges, network }: { charges: readonly PaidCharge[]; network: Network },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let failures = 0;
  for (const charge of charges) {
    if (failures === MAX_FAILURES) break;
    try {
      answers.push({ label: node.label, excess: await findExcess(db, node, { charge, network }) });
      failures = 0;
    } catch (error) {
      if (!(error instanceof NodeError || error instanceof UnsettledError)) throw error;
      failures = error instanceof NodeError ? failures + 1 : 0;
      const fault = error instanceof NodeError ? error.message : `${node.label}: ${error.message}`;
      answers.push({ label: node.label, fault });
    }
  }
  return answers;
}

function violationsIn({ address }: PaidCharge, answers: readonly Answer[]): Violation[] {
  const known = answers.flatMap((answer) => ("excess" in answer ? [answer] : []));
  const differing = known.filter(({ excess }) => excess.difference !== undefined);
  const results = differing.map(({ label, excess }) => `${label} has ${excess.difference}`);
  if (differing.length === known.length) {
    const what = "address with another balance than our database expects";
    return differing.length === 0 ? [] : [violationOf(what, `${address}: ${results.join("; ")}`)];
  }
  const others = known.filter(({ excess }) => excess.difference === undefined);
  const what = "address with different balances at the nodes";
  if (differing.length > 0) {
    const fitting = others.map(({ label }) => label).join(", ");
    return [violationOf(what, `${address}: ${results.join("; ")}; ${fitting} of the database's amount`)];
  }
  const [first, ...rest] = others;
  const contradicts = rest.find(
    ({ excess }) => excess.height === first?.excess.height && excess.held !== first.excess.held,
  );
  if (first === undefined || contradicts === undefined) return [];
  const parts = [first, contradicts].map(({ label, excess }) => `${label} has ${excess.held}`);
  return [violationOf(what, `${address}: ${parts.join("; ")} at block ${first.excess.height}`)];
}

function findUnderived({ xpub, derivationIndex, address, chargeId }: PaidCharge): Violation[] {
  if (deriveReceiveAddress(parseAccountXpub(xpub), Number(derivationIndex)) === address) return [];
  const what = "charge whose address is not that of its index";
  return [{ invariant: "I13", what, count: 1, samples: [chargeId] }];
}

function violationOf(what: string, sample: string): Violation {
  return { invariant: "I2", what, count: 1, samples: [sample] };
}
