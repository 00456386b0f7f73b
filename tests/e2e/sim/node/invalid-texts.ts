import type { Json, Lie } from "../../faults/lying-node.ts";
import { wordOf } from "../chain/bytes.ts";
import { changing, isInfos, isRouted, type SimLie } from "./lie-builders.ts";
import { UnusualAnswer } from "./sim-node.ts";

/** The character NUL, which a text of PostgreSQL cannot contain. */
const NUL = "\u0000";
/** An integer beyond the exact range of a double, so that a reader must parse the text again. */
const ROUNDED = 2 ** 60;
/** A depth at which a recursive parser overflows. */
const DEPTH = 20_000;

const callValueOfOther = (infos: Json): Json =>
  infos.find(({ log }: Json) => log?.some(({ topics }: Json) => topics.length === 3));
const routed = (infos: Json): Json => infos.find(isRouted);

const tooDeep: Lie = (answer) => {
  const { honest } = answer;
  if (!isInfos(answer) || routed(honest) === undefined) return undefined;
  routed(honest).unfreeze_amount = ROUNDED;
  const text = JSON.stringify(honest);
  const deep = "[".repeat(DEPTH) + "]".repeat(DEPTH);
  return new UnusualAnswer({ text: `${text.slice(0, -2)},"deep":${deep}}]` });
};

/** Infos with texts that must not break the service's parser; a token without a name claims to pay this address. */
export const invalidTexts = (trapHex: string): readonly SimLie[] => [
  {
    name: "a log of an address of NULs",
    lie: changing(
      (answer) => isInfos(answer) && callValueOfOther(answer.honest) !== undefined,
      (infos) => {
        const { log } = callValueOfOther(infos);
        const [kind, from] = log.find(({ topics }: Json) => topics.length === 3).topics;
        log.push({ address: NUL.repeat(40), topics: [kind, from, wordOf(trapHex)], data: wordOf(7n) });
      },
    ),
  },
  {
    name: "a result with a NUL",
    lie: changing(
      (answer) => isInfos(answer) && answer.honest.some(({ receipt }: Json) => receipt?.result !== undefined),
      (infos) => {
        for (const { receipt } of infos) if (receipt?.result !== undefined) receipt.result += NUL;
      },
    ),
  },
  {
    name: "texts that look like integers, beside a rounded integer",
    lie: changing(
      (answer) => isInfos(answer) && routed(answer.honest) !== undefined,
      (infos) => {
        routed(infos).unfreeze_amount = ROUNDED;
        routed(infos).resMessage = "\u0001integer:x";
      },
    ),
  },
  { name: "infos nested too deep", lie: tooDeep },
];
