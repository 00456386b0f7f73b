import { addressToHex } from "@daric/tron/address";
import { decodeRawData, encodeRawData, type RawData } from "@daric/tron/transaction";
import { afterAll, describe, expect, it } from "vitest";
import {
  aConfig,
  aRequest,
  aSigner,
  gasAddress,
  keys,
  removeFolders,
  stakeAddress,
  walletOf,
} from "../test/builders.ts";
import { buildRawData, findDifference } from "./build-transaction.ts";

afterAll(removeFolders);

const signer = await aSigner();
const own = keys.addressAt([0, 7]);
const [wallet, thief] = [walletOf("a wallet"), walletOf("a thief")];
const config = aConfig();
const sweep = { config, request: aRequest(signer), from: own, to: wallet };
const trx = { config, request: aRequest(signer, { currency: "TRX" }), from: own, to: wallet };
const topUp = { config, request: aRequest(signer, { kind: "top_up" }), from: gasAddress, to: own };
const lent = { config, request: aRequest(signer, { kind: "delegate" }), from: stakeAddress, to: own };
const back = { config, request: aRequest(signer, { kind: "undelegate" }), from: stakeAddress, to: own };

it("the bytes of each kind contain their own movement and no other one", () => {
  const movements = [sweep, trx, topUp, lent, back];
  for (const built of movements) {
    for (const movement of movements) {
      const difference = findDifference(buildRawData(built), movement);
      if (built === movement) expect(difference).toBeUndefined();
      else expect(difference).toBeDefined();
    }
  }
});

describe("bytes that differ from the movement are named by their field", () => {
  const contractOf = (raw: RawData) => raw.contracts[0] ?? expect.fail("no contract");
  const changed = (movement: typeof sweep, change: (raw: RawData) => object) => {
    const raw = decodeRawData(buildRawData(movement));
    return findDifference(encodeRawData({ ...raw, ...change(raw) }), movement);
  };
  const inContract = (movement: typeof sweep, change: object) =>
    changed(movement, (raw) => ({ contracts: [{ ...contractOf(raw), ...change }] }));
  const inValue = (movement: typeof sweep, change: object) =>
    changed(movement, (raw) => {
      const contract = contractOf(raw);
      return { contracts: [{ ...contract, value: { ...contract.value, ...change } }] };
    });
  const hex = addressToHex(thief);

  it.each([
    [
      "number of contracts",
      () => changed(sweep, (raw) => ({ contracts: [...raw.contracts, ...raw.contracts] })),
    ],
    ["number of contracts", () => changed(sweep, () => ({ contracts: [] }))],
    ["expiration", () => changed(sweep, (raw) => ({ expiration: raw.expiration + 1n }))],
    ["block", () => changed(sweep, () => ({ refBlockHash: "00".repeat(8) }))],
    ["block", () => changed(sweep, () => ({ refBlockBytes: "" }))],
    ["memo", () => changed(sweep, () => ({ data: "00" }))],
    ["fee_limit", () => changed(sweep, (raw) => ({ feeLimit: raw.feeLimit + 1n }))],
    ["permission", () => inContract(sweep, { permissionId: 2 })],
    ["permission", () => inContract(lent, { permissionId: 0 })],
    ["type", () => inContract(lent, { type: 58, value: { ...decodeUndelegate(), kind: "undelegate" } })],
    ["owner", () => inValue(sweep, { ownerAddress: hex })],
    ["contract", () => inValue(sweep, { contractAddress: hex })],
    ["selector", () => inValue(sweep, { data: `095ea7b3${callOf(sweep).slice(8)}` })],
    ["selector", () => inValue(sweep, { data: `${callOf(sweep)}00` })],
    ["recipient", () => inValue(sweep, { data: callOf({ ...sweep, to: thief }) })],
    ["amount", () => inValue(sweep, { data: `${callOf(sweep).slice(0, -2)}ff` })],
    ["call_value", () => inValue(sweep, { callValue: 1n })],
    ["call_value", () => inValue(sweep, { callTokenValue: 1n })],
    ["recipient", () => inValue(trx, { toAddress: hex })],
    ["amount", () => inValue(trx, { amount: 1n })],
    ["owner", () => inValue(topUp, { ownerAddress: addressToHex(own) })],
    ["lock", () => inValue(lent, { lock: true })],
    ["lock", () => inValue(lent, { lockPeriod: 1n })],
    ["resource", () => inValue(lent, { resource: "BANDWIDTH" })],
    ["recipient", () => inValue(back, { receiverAddress: hex })],
    ["amount", () => inValue(back, { balance: 1n })],
  ])("%s", (field, difference) => expect(difference()).toBe(field));

  it("bytes in a non-canonical encoding", () => {
    const unknownField = Buffer.concat([buildRawData(sweep), Buffer.from("4a00", "hex")]);
    expect(findDifference(unknownField, sweep)).toBe("encoding");
  });

  it("a contract that cannot be decoded", () => {
    expect(inContract(sweep, { type: 46, value: { kind: "opaque", value: "" } })).toBe("type");
  });

  function callOf(movement: typeof sweep): string {
    const { value } = contractOf(decodeRawData(buildRawData(movement)));
    return value.kind === "trigger" ? value.data : "";
  }

  function decodeUndelegate() {
    return contractOf(decodeRawData(buildRawData(back))).value;
  }
});
