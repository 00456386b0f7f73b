import { blockIdOf } from "../../faults/block-id.ts";
import type { Lie, NodeReply } from "../../faults/lying-node.ts";
import { instead, rawOf, type SimLie } from "./answer-to-change.ts";
import { OddAnswer } from "./sim-node.ts";

/** Later than any optional wait, and earlier than the end of the connection. */
const LATE_MS = 4_000;
/** The client's own limit for an unanswered query. */
const GIVEN_UP_MS = 10_000;
/** The unanswered queries of a node that is away at the start. */
const AWAY_FOR = 6;

const late = (isMeant: (answer: NodeReply) => boolean): Lie =>
  instead(isMeant, ({ honest }) => new OddAnswer({ afterMs: LATE_MS, answer: honest }));
const silent = (isMeant: (answer: NodeReply) => boolean): Lie =>
  instead(isMeant, () => new OddAnswer({ afterMs: GIVEN_UP_MS, breakdown: "timeout" }));

const isAbout =
  (...paths: string[]) =>
  ({ path }: NodeReply): boolean =>
    paths.includes(path);
const isBalance = isAbout("/walletsolidity/getaccount", "/walletsolidity/triggerconstantcontract");

/** True answers that come late or never. */
export const lateLies: readonly SimLie[] = [
  { name: "what lies on an address is said late", lie: late(isBalance) },
  { name: "what lies on an address is never said", lie: silent(isBalance) },
  { name: "everything is said late", lie: late(() => true) },
];

/** Lies about the only query of the first start: the node's network. */
export function liesAtStart(): readonly SimLie[] {
  return [{ name: "away at the start, and of another network later", lie: ofAnotherNetwork() }];
}

function ofAnotherNetwork(): Lie {
  let calls = 0;
  return ({ path, honest }) => {
    calls += 1;
    if (calls <= AWAY_FOR) return new OddAnswer({ breakdown: "unreachable" });
    if (path !== "/wallet/getblockbynum") return undefined;
    const raw = rawOf(honest);
    raw.timestamp += 1;
    honest.blockID = blockIdOf(raw);
    return honest;
  };
}
