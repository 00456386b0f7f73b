import { blockIdOf } from "../../faults/block-id.ts";
import type { Lie, NodeReply } from "../../faults/lying-node.ts";
import { instead, rawOf, type SimLie } from "./answer-to-change.ts";
import { OddAnswer } from "./sim-node.ts";

/** Later than anybody waits who can go on without, and earlier than the connection is given up. */
const LATE_MS = 4_000;
/** When the client's own limit ends a question that nobody answers. */
const GIVEN_UP_MS = 10_000;
/** Questions to which a node that is away at the start gives no answer. */
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

/** Nothing that is false, but late or never. */
export const lateLies: readonly SimLie[] = [
  { name: "what lies on an address is said late", lie: late(isBalance) },
  { name: "what lies on an address is never said", lie: silent(isBalance) },
  { name: "everything is said late", lie: late(() => true) },
];

/** What is only asked at the first start: of which network a node is. */
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
