import { type Amount, amountIn, zero } from "@daric/domain/money";
import type { ResourcePrices, SweepFacts } from "@daric/domain/sweep-price";
import { hexToAddress } from "@daric/tron/address";
import {
  AnswerError,
  type JsonObject,
  readInt64,
  readList,
  readObject,
  readSun,
  readText,
} from "../blocks/read-json.ts";
import type { WalletPermissions } from "./wallet-permissions.ts";

/** Whether the account exists; a node answers `{}` for a missing one. @throws AnswerError for another account (hex, `41…`). */
export function parseIsAccount(answer: unknown, addressHex: string): boolean {
  const account = readObject(answer, "account");
  if (account.address === addressHex) return true;
  if (Object.keys(account).length === 0) return false;
  throw new AnswerError("the account is that of another address");
}

/** The sun of an account; 0 for a missing one. @throws AnswerError for another account (hex, `41…`). */
export function parseBalance(answer: unknown, addressHex: string): Amount<"TRX"> {
  return parseIsAccount(answer, addressHex)
    ? readSun(readObject(answer, "account").balance, "balance")
    : zero;
}

/** The owner's and the active permissions of `getaccount`; none for a contract, and for an account that does not exist. */
export function parsePermissions(account: JsonObject): WalletPermissions {
  const owner = account.owner_permission === undefined ? [] : [account.owner_permission];
  const actives = readList(account.active_permission, "active_permission");
  return [...owner, ...actives].map((answer, index) => {
    const permission = readObject(answer, "permission");
    const isOwner = index < owner.length;
    return {
      name: isOwner ? "owner" : (readText(permission.permission_name, "permission_name") ?? ""),
      isOwner,
      threshold: readInt64(permission.threshold, "threshold"),
      operations: isOwner ? "" : (readText(permission.operations, "operations") ?? ""),
      keys: readList(permission.keys, "keys").map((item) => {
        const key = readObject(item, "key");
        return {
          address: hexToAddress(readText(key.address, "address") ?? ""),
          weight: readInt64(key.weight, "weight"),
        };
      }),
    };
  });
}

export function parseResources(
  answer: unknown,
): { energy: bigint } & Pick<SweepFacts, "freeBandwidth" | "stakedBandwidth"> {
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

/** The prices of `getchainparameters`; java-tron prints no value for 0. @throws AnswerError if a parameter is missing. */
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
