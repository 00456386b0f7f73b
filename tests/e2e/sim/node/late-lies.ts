import { blockIdOf } from "../../faults/block-id.ts";
import type { Lie, NodeReply } from "../../faults/lying-node.ts";
import { instead, rawOf, type SimLie } from "./lie-builders.ts";
import { UnusualAnswer } from "./sim-node.ts";

/** Longer than any wait that the service may give up, and shorter than the connection's timeout. */
const LATE_MS = 4_000;
/** The client's own limit for an unanswered query. */
const GIVEN_UP_MS = 10_000;
/** The number of unanswered queries of a node that is unreachable at the start. */
const AWAY_FOR = 6;

const late = (isMeant: (answer: NodeReply) => boolean): Lie =>
  instead(isMeant, ({ honest }) => new UnusualAnswer({ afterMs: LATE_MS, answer: honest }));
const silent = (isMeant: (answer: NodeReply) => boolean): Lie =>
  instead(isMeant, () => new UnusualAnswer({ afterMs: GIVEN_UP_MS, breakdown: "timeout" }));

const isAbout =
  (...paths: string[]) =>
  ({ path }: NodeReply): boolean =>
    paths.includes(path);
const isBalance = isAbout("/walletsolidity/getaccount", "/walletsolidity/triggerconstantcontract");

/** True answers that come late or never. */
export const lateLies: readonly SimLie[] = [
  { name: "a balance is returned late", lie: late(isBalance) },
  { name: "a balance is never returned", lie: silent(isBalance) },
  { name: "every answer is late", lie: late(() => true) },
];

/** Lies about the node's network, which a first start queries. */
export function liesAtStart(): readonly SimLie[] {
  return [{ name: "no answer at the start, and another network later", lie: otherNetwork() }];
}

function otherNetwork(): Lie {
  let calls = 0;
  return ({ path, honest }) => {
    calls += 1;
    if (calls <= AWAY_FOR) return new UnusualAnswer({ breakdown: "unreachable" });
    if (path !== "/wallet/getblockbynum") return undefined;
    const raw = rawOf(honest);
    raw.timestamp += 1;
    honest.blockID = blockIdOf(raw);
    return honest;
  };
}
