import { assertSameAsTronWeb } from "../compare-with-tron-web.ts";
import { fullBlock } from "../full-block.ts";
import { type Bench, type Contestant, compare, print } from "../harness.ts";
import { startRunner } from "../programs.ts";

/** A block takes milliseconds, so many are read before the code is compiled. */
const WARM_UP_SHARE = 20;

/**
 * V8 may allocate long-lived objects of a fresh process in the old space. That guess is random, wrong for one block
 * repeated, and costs half of all processes 50 % more CPU (docs/decisions/0018).
 */
const FLAGS = ["--no-allocation-site-pretenuring"];

/** The cost of reading a block over parsing its JSON, in two processes that do nothing else. */
function readingBench(
  name: string,
  options: { depth: "decode" | "prove"; measures: string; max: number },
): Bench {
  return {
    name,
    measures: `CPU of ${options.measures}, over that of JSON.parse of the same two texts: 383 transactions and their infos`,
    bar: `at most ${options.max}`,
    run: async (effort) => {
      const { block, infos } = fullBlock();
      print(`  ${block.length + infos.length} bytes; as TronWeb reads them: ${assertSameAsTronWeb()}`);
      const [parsing, reading] = [
        await startRunner("read-block", { BENCH_DEPTH: "parse" }, FLAGS),
        await startRunner("read-block", { BENCH_DEPTH: options.depth }, FLAGS),
      ];
      try {
        const ceiling: Contestant = { name: "parse", pid: parsing.pid, run: parsing.run };
        const ours: Contestant = { name: options.depth, pid: reading.pid, run: reading.run };
        const warmUp = Math.ceil(effort.warmUp / WARM_UP_SHARE);
        const comparison = { ceiling, ours, measure: "cpu", postgresPid: undefined } as const;
        const outcome = await compare(comparison, { ...effort, warmUp });
        return { ...outcome, unit: "µs of CPU a block", bars: { max: options.max } };
      } finally {
        await parsing.stop();
        await reading.stop();
      }
    },
  };
}

/** The cost of decoding a block's transfers. */
export const blockDecode = readingBench("block-decode", {
  depth: "decode",
  measures: "parsing a block and its infos, finding every transfer and making the keys of their receivers",
  max: 1.6,
});

/** The cost of proving a block. */
export const blockProof = readingBench("block-proof", {
  depth: "prove",
  measures: "the same with all proofs: every hash up to the root, infos and direct calls compared",
  max: 3.5,
});
