import assert from "node:assert/strict";
import { decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { parseBlock } from "@daric/chain/blocks/parse-block";
import { parseJson } from "@daric/chain/blocks/parse-json";
import { parseTransactionInfos } from "@daric/chain/blocks/parse-transaction-info";
import { utils } from "tronweb";
import { fullBlock } from "./full-block.ts";

type Json = ReturnType<typeof JSON.parse>;

const SUCCESS = "SUCCESS";

/** Compares our decoding of a block with TronWeb's. @throws AssertionError when they differ */
export function assertSameAsTronWeb(): string {
  const { block, infos, tokens, usdtContractHex } = fullBlock();
  const parsed = parseBlock(parseJson(block));
  assert(parsed !== undefined);
  const { transfers } = decodeTransfers(
    { ...parsed, infos: parseTransactionInfos(parseJson(infos)) },
    tokens,
  );
  const ours = transfers.map(({ txId, currency, source, fromHex, toHex, units }) =>
    [txId, currency, source, fromHex, toHex, units].join(" "),
  );
  const theirs = tronWebTransfers(JSON.parse(block), JSON.parse(infos), usdtContractHex);
  assert.deepEqual(ours, theirs);
  return `${ours.length} transfers, the same`;
}

function tronWebTransfers(block: Json, infos: Json[], usdtContractHex: string): string[] {
  return block.transactions.flatMap((transaction: Json, place: number) => [
    ...nativeOf(transaction),
    ...logsOf(infos[place], usdtContractHex),
    ...internalsOf(infos[place]),
  ]);
}

/** The transaction's bytes, by TronWeb's protobuf. */
function nativeOf({ txID, ret, raw_data, raw_data_hex }: Json): string[] {
  const { type } = raw_data.contract[0];
  if (type !== "TransferContract" || ret[0].contractRet !== SUCCESS) return [];
  const raw: Json = utils.deserializeTx.deserializeTransaction(type, raw_data_hex);
  const { owner_address, to_address, amount } = raw.contract[0].parameter.value;
  return [[txID, "TRX transfer", owner_address.toLowerCase(), to_address.toLowerCase(), amount].join(" ")];
}

/** The log's words, by TronWeb's ABI. */
function logsOf({ id, receipt, log = [] }: Json, usdtContractHex: string): string[] {
  if (receipt.result !== SUCCESS) return [];
  return log.flatMap(({ address, topics, data }: Json) => {
    if (`41${address}` !== usdtContractHex) return [];
    const words = `0x${topics.slice(1).join("")}${data}`;
    const [from, to, units]: Json = utils.abi.decodeParams(
      [],
      ["address", "address", "uint256"],
      words,
      false,
    );
    return [[id, "USDT log", from.toLowerCase(), to.toLowerCase(), units].join(" ")];
  });
}

/** TronWeb has no decoder for internal transactions, so they are read from the info directly. */
function internalsOf({ id, internal_transactions = [] }: Json): string[] {
  return internal_transactions.flatMap(({ caller_address, transferTo_address, callValueInfo }: Json) => {
    const [{ callValue }] = callValueInfo;
    return callValue ? [[id, "TRX internal", caller_address, transferTo_address, callValue].join(" ")] : [];
  });
}
