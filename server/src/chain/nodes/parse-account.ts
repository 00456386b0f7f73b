import { type Amount, amountIn } from "../../domain/money.ts";
import type { ResourcePrices, Wallet } from "../../domain/transfer-price.ts";
import { AnswerError, readInt64, readList, readObject, readSun } from "../blocks/read-json.ts";

/**
 * Whether the chain has this account: an address that nobody ever activated is answered with an empty object.
 *
 * @throws AnswerError for an answer that is neither that nor the account of this address (hex, `41…`).
 */
export function parseIsAccount(answer: unknown, addressHex: string): boolean {
  const account = readObject(answer, "account");
  if (account.address === addressHex) return true;
  if (Object.keys(account).length === 0) return false;
  throw new AnswerError("the account is that of another address");
}

/** The balance of an account; undefined as {@link parseIsAccount} is false. */
export function parseAccount(answer: unknown, addressHex: string): { trx: Amount<"TRX"> } | undefined {
  if (!parseIsAccount(answer, addressHex)) return undefined;
  return { trx: readSun(readObject(answer, "account").balance, "balance") };
}

/** What an account may use without burning TRX; nothing where there is no account yet. */
export function parseResources(
  answer: unknown,
): Pick<Wallet, "energy" | "freeBandwidth" | "stakedBandwidth"> {
  const resources = readObject(answer, "account resource");
  const left = (limit: string, used: string): bigint => {
    const rest = readInt64(resources[limit], limit) - readInt64(resources[used], used);
    return rest > 0n ? rest : 0n;
  };
  return {
    energy: left("EnergyLimit", "EnergyUsed"),
    freeBandwidth: left("freeNetLimit", "freeNetUsed"),
    stakedBandwidth: left("NetLimit", "NetUsed"),
  };
}

/**
 * The prices of java-tron's `getchainparameters`. A parameter of 0 is printed without its value.
 *
 * @throws AnswerError where one is not there at all.
 */
export function parseResourcePrices(answer: unknown): ResourcePrices {
  const list = readList(readObject(answer, "chain parameters").chainParameter, "chainParameter");
  const byKey = new Map(
    list.map((item) => readObject(item, "chain parameter")).map((item) => [item.key, item]),
  );
  const parameterOf = (key: string): bigint => {
    const parameter = byKey.get(key);
    if (parameter === undefined) throw new AnswerError(`there is no chain parameter ${key}`);
    return readInt64(parameter.value, key);
  };
  return {
    energy: amountIn("TRX", parameterOf("getEnergyFee")),
    bandwidth: amountIn("TRX", parameterOf("getTransactionFee")),
    activation: amountIn(
      "TRX",
      parameterOf("getCreateNewAccountFeeInSystemContract") + parameterOf("getCreateAccountFee"),
    ),
    freeBandwidth: parameterOf("getFreeNetLimit"),
  };
}
