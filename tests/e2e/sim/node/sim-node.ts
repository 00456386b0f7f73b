import { NodeError, type NodeFault } from "@daric/chain/blocks/node-error";
import { parseJson } from "@daric/chain/blocks/parse-json";
import type { HttpBytes, HttpJson } from "@daric/chain/nodes/http-json";
import type { Dice } from "../../faults/dice.ts";
import type { Json, Lie } from "../../faults/lying-node.ts";
import type { SimBlock } from "../chain/block.ts";
import type { SimChain } from "../chain/chain.ts";
import type { SimTime } from "../time.ts";
import { answerOf, type NodeView } from "./answers.ts";

type AnswerForm = {
  /** the delay, by the clock of the seed */
  readonly afterMs?: number;
} & ({ readonly breakdown: NodeFault | "text" } | { readonly text: string } | { readonly answer: Json });

/** An answer other than immediate JSON: a late one, a text, or a failure. */
export class UnusualAnswer {
  readonly form: AnswerForm;

  constructor(form: AnswerForm) {
    this.form = form;
  }
}

/** Runs at each query of a watcher before its answer; it may wait or throw. */
export type QueryHook = (path: string) => Promise<void> | void;

/** A node in this process. It reads one chain, perhaps a few blocks late, and lies on command. */
export type SimNode = {
  readonly label: string;
  /** sets the lag in blocks; a gateway of several backends has another lag at each query */
  fallBehind(blocks: number, isFlapping?: boolean): void;
  /** lies at the next matching queries */
  inject(name: string, lie: Lie, times: number): void;
  /** lies at every matching query, to the end */
  injectLasting(name: string, lie: Lie): void;
  /** shows these blocks instead of the chain's; a gateway with a liar does so at random queries */
  show(shown: ShownBranch): void;
  /** ends everything except lasting lies and random failures */
  beHonestForNow(): void;
  beHonest(): void;
  http(onQuery: QueryHook): HttpJson & HttpBytes;
  /** the number of lies by name */
  injected(): ReadonlyMap<string, number>;
};

/** A branch of a liar, with its claimed solid height. */
export type ShownBranch = {
  readonly blocks: readonly SimBlock[];
  readonly solidNumber: number;
  readonly isAlternating: boolean;
};

type ActiveLie = { readonly name: string; readonly lie: Lie; left: number };

/** The parts of a node: its chain, its failures, and its delays. */
type NodeWorld = {
  readonly chain: SimChain;
  /** random choices of this node alone, so that the number of queries does not change the rest of a seed */
  readonly dice: Dice;
  readonly time: Pick<SimTime, "sleep">;
  /** the percentage of unanswered queries */
  readonly failsPercent?: number;
  /** whether it stores internal transfers (`saveInternalTx` of java-tron) */
  readonly savesInternals?: boolean;
};

export function createSimNode(
  label: string,
  { chain, dice, time, failsPercent = 0, savesInternals = true }: NodeWorld,
): SimNode {
  let lies: ActiveLie[] = [];
  let forGood: ActiveLie | undefined;
  let shown: ShownBranch | undefined;
  let lag = { blocks: 0, isFlapping: false };
  let isRelieved = false;
  const injected = new Map<string, number>();
  const countInjected = (name: string) => injected.set(name, (injected.get(name) ?? 0) + 1);

  function view(): NodeView {
    const behind = lag.isFlapping ? dice.roll(lag.blocks + 1) : lag.blocks;
    const isInvented = shown !== undefined && (!shown.isAlternating || dice.chance(50));
    if (isInvented) countInjected("invented branch");
    const blocks = isInvented ? shown!.blocks : chain.blocks();
    const count = Math.max(1, blocks.length - behind);
    const reportedSolid = isInvented ? shown!.solidNumber : chain.solidNumber();
    const solidNumber = Math.min(reportedSolid, count - 1);
    return { chain, blocks: blocks.slice(0, count), solidNumber: Math.max(0, solidNumber) };
  }

  function sincere(path: string, question: Json): string {
    const text = answerOf(view(), path, question);
    return savesInternals ? text : withoutInternals(text);
  }

  async function respond(path: string, question: Json): Promise<AnswerForm> {
    const honest = sincere(path, question);
    const askOther = async (otherPath: string, otherQuestion: Json): Promise<Json> =>
      JSON.parse(sincere(otherPath, otherQuestion));
    for (const active of forGood === undefined ? lies : [...lies, forGood]) {
      if (active.left === 0) continue;
      const answer = await active.lie({ path, question, honest: JSON.parse(honest), fetchHonest: askOther });
      if (answer === undefined || active.left === 0) continue;
      active.left -= 1;
      countInjected(active.name);
      return answer instanceof UnusualAnswer ? answer.form : { answer };
    }
    return { text: honest };
  }

  async function answerText(path: string, question: Json): Promise<string> {
    if (failsPercent > 0 && !isRelieved && dice.chance(failsPercent)) {
      countInjected("no answer now and then");
      throw new NodeError("breaks down", { fault: dice.pick(BREAKDOWNS), node: label });
    }
    const form = await respond(path, question);
    if (form.afterMs !== undefined) await time.sleep(form.afterMs);
    if ("text" in form) return form.text;
    if ("answer" in form) return JSON.stringify(form.answer);
    const fault = form.breakdown === "text" ? "not_json" : form.breakdown;
    throw new NodeError(`breaks down: ${fault}`, { fault, node: label });
  }

  function beHonestForNow(): void {
    lies = [];
    shown = undefined;
    lag = { blocks: 0, isFlapping: false };
  }

  return {
    label,
    fallBehind: (blocks, isFlapping = false) => {
      lag = { blocks, isFlapping };
    },
    inject: (name, lie, times) => lies.push({ name, lie, left: times }),
    show: (branch) => {
      shown = branch;
    },
    injectLasting: (name, lie) => {
      forGood = { name, lie, left: Number.POSITIVE_INFINITY };
    },
    beHonestForNow,
    beHonest: () => {
      forGood = undefined;
      isRelieved = true;
      beHonestForNow();
    },
    http: (onQuery) => ({
      label,
      get: (path) => Promise.reject(new Error(`unexpected query ${path}`)),
      post: async (path, question) => {
        await onQuery(path);
        return believable(await answerText(path, question), label);
      },
      postForBytes: async (path, question) => {
        await onQuery(path);
        return Buffer.from(await answerText(path, question));
      },
      close: async () => {},
    }),
    injected: () => injected,
  };
}

/** The kinds of random failures. */
const BREAKDOWNS: readonly NodeFault[] = ["unreachable", "http_status", "rate_limited"];

function withoutInternals(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value) =>
    key === "internal_transactions" ? undefined : value,
  );
}

/** Nodes with the same lies, controlled as one. */
export function combined(nodes: readonly SimNode[]): SimNode {
  const [first] = nodes as [SimNode];
  const each = (act: (node: SimNode) => void) => {
    for (const node of nodes) act(node);
  };
  return {
    ...first,
    fallBehind: (blocks, isFlapping) => each((node) => node.fallBehind(blocks, isFlapping)),
    inject: (name, lie, times) => each((node) => node.inject(name, lie, times)),
    injectLasting: (name, lie) => each((node) => node.injectLasting(name, lie)),
    show: (shown) => each((node) => node.show(shown)),
    beHonestForNow: () => each((node) => node.beHonestForNow()),
    beHonest: () => each((node) => node.beHonest()),
    injected: () => {
      const all = new Map<string, number>();
      for (const [name, times] of nodes.flatMap((node) => [...node.injected()]))
        all.set(name, (all.get(name) ?? 0) + times);
      return all;
    },
  };
}

/** Checks a text as the service does: it must be JSON, and no error with status 200. */
function believable(text: string, node: string): unknown {
  const answer = parseJson(text);
  const refusal = (answer as { Error?: unknown } | null)?.Error;
  if (typeof refusal !== "string") return answer;
  throw new NodeError(`refused: ${refusal}`, { fault: "node_error", node });
}
