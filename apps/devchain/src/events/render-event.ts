import { addressToBase58 } from "@daric/tron/address";
import { contractAt } from "../ledger/contracts.ts";
import type { ChainEvent, EventValue } from "./chain-events.ts";

/** An event as TronGrid lists it: its values by position and by name, addresses as 20 bytes with 0x. */
export function renderEvent({ place, timestamp, txId, contract, name, inputs, isSolid }: ChainEvent): object {
  const address = addressToBase58(contract);
  const values = inputs.map(({ value }) => renderValue(value));
  const named = inputs.map(({ name: input = "" }, index) => [input, values[index]]);
  return {
    block_number: place[0],
    block_timestamp: timestamp,
    caller_contract_address: address,
    contract_address: address,
    event_index: place[2],
    event_name: name,
    result: { ...Object.fromEntries(values.entries()), ...Object.fromEntries(named) },
    result_type: Object.fromEntries(inputs.map(({ name: input = "", type }) => [input, type])),
    event: `${name}(${inputs.map(({ name: input, type, indexed }) => `${type}${indexed ? " indexed" : ""} ${input}`).join(", ")})`,
    transaction_id: txId,
    ...(!isSolid && { _unconfirmed: true }),
  };
}

/** A transfer or an approval of a token as TronGrid lists it for an account. */
export function renderTrc20(event: ChainEvent): object {
  const [from, to, value] = event.inputs.map((input) => input.value);
  const token = contractAt(event.contract)?.token;
  return {
    transaction_id: event.txId,
    token_info: {
      symbol: token?.symbol,
      address: addressToBase58(event.contract),
      decimals: token?.decimals,
      name: token?.name,
    },
    block_timestamp: event.timestamp,
    from: addressToBase58(String(from)),
    to: addressToBase58(String(to)),
    type: event.name,
    value: String(value),
    ...(!event.isSolid && { _unconfirmed: true }),
  };
}

function renderValue(value: EventValue): string {
  return typeof value === "bigint" ? value.toString() : `0x${value.slice(2)}`;
}
