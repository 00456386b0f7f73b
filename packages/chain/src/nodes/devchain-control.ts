import type { Currency } from "@daric/domain/asset";
import { type Amount, formatAmount } from "@daric/domain/money";
import { NodeError } from "../blocks/node-error.ts";
import { AnswerError, readHash, readList, readObject, readText, readTime } from "../blocks/read-json.ts";
import { openHttpJson } from "./http-json.ts";

const TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1024;

/** The control API of the devnet's node. It signs by itself; no key is known here. */
export type DevchainControl = {
  readTime(): Promise<Date>;
  /** The address of an account that pays in examples. */
  readPayer(): Promise<string>;
  /** Sends exactly this amount in the next block, and returns the transaction's id. */
  pay(address: string, payment: { currency: Currency; amount: Amount }): Promise<string>;
  /** Replaces the newest blocks by a fork in which this transaction is one block later. */
  moveByFork(txId: string): Promise<void>;
  close(): Promise<void>;
};

export function openDevchainControl(url: string): DevchainControl {
  const http = openHttpJson({ url, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES });

  async function read<T>(pending: Promise<unknown>, parse: (answer: unknown) => T): Promise<T> {
    const answer = await pending;
    try {
      return parse(answer);
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      throw new NodeError(`is no devchain: ${error.message}`, {
        fault: "unexpected_answer",
        node: http.label,
        retryable: false,
      });
    }
  }

  return {
    readTime: () =>
      read(
        http.get("/devchain/info"),
        (answer) => new Date(readTime(readObject(answer, "devchain info").timeMs, "timeMs")),
      ),
    readPayer: () =>
      read(http.get("/devchain/info"), (answer) => {
        const { payer } = readObject(answer, "devchain info");
        const address = readText(readObject(payer, "devchain payer").address, "payer address");
        if (address === undefined) throw new AnswerError("payer address is missing");
        return address;
      }),
    pay: (address, { currency, amount }) =>
      read(
        http.post("/devchain/faucet", { address, [currency.toLowerCase()]: formatAmount(amount) }),
        (answer) => {
          const [txId] = readList(readObject(answer, "devchain faucet").txids, "txids");
          return readHash(txId, "txid");
        },
      ),
    moveByFork: async (txId) => {
      await http.post("/devchain/reorg", { move: [txId] });
    },
    close: () => http.close(),
  };
}
