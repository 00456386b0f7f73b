import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { headerOf, type RecordedBlock } from "@daric/testing/recordings";
import { headerHash } from "@daric/tron/block";
import { recoverSigner } from "@daric/tron/signature";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let devchain: TestDevchain;

beforeAll(async () => {
  devchain = await aDevchain();
});
afterAll(() => devchain.stop());

describe("the control API's", () => {
  it("faults replaces witness keys or witnesses from the next block on, once or repeatedly", async () => {
    const signers = async () => {
      const { witnesses } = (await devchain.get("/wallet/listwitnesses")).body;
      const accounts = await Promise.all(
        witnesses.map(({ address }: { address: string }) =>
          devchain.post("/wallet/getaccount", { address }).then(({ body }) => body),
        ),
      );
      return new Map<string, string>(
        accounts.map(({ address, witness_permission }) => [address, witness_permission.keys[0].address]),
      );
    };
    const signerOf = async () => {
      const { block_header } = (await devchain.post("/wallet/getblock", {})).body;
      const hash = headerHash(headerOf({ block_header } as RecordedBlock));
      return [block_header.raw_data.witness_address, recoverSigner(hash, block_header.witness_signature)];
    };
    const before = await signers();
    expect([...before].every(([address, signer]) => address === signer)).toBe(true);
    const { body } = await devchain.post("/devchain/faults", { kind: "witness_keys", count: 3 });
    expect(body).toMatchObject({ faults: [], standing: [] });
    const keys = await signers();
    expect([...keys].filter(([address, signer]) => address !== signer)).toEqual(
      body.replaced.map(({ address, signer }: { address: string; signer: string }) => [address, signer]),
    );
    for (let mined = 0; mined < 27; mined += 1) {
      await devchain.post("/devchain/mine", { blocks: 1 });
      const [witness, signer] = await signerOf();
      expect(keys.get(witness)).toBe(signer);
    }
    const standing = { kind: "witnesses", count: 2, everyMs: 60_000 };
    await devchain.post("/devchain/faults", standing);
    expect((await devchain.get("/devchain/faults")).body).toEqual({ faults: [], standing: [standing] });
    await devchain.post("/devchain/mine", { blocks: 21 });
    const after = await signers();
    expect([...after.keys()].filter((address) => !before.has(address))).toHaveLength(4);
    await devchain.post("/devchain/faults", { kind: "witnesses", count: 0 });
    expect((await devchain.get("/devchain/faults")).body).toEqual({ faults: [], standing: [] });
    const bad = await devchain.post("/devchain/faults", { kind: "witness", count: 1 });
    expect(bad).toMatchObject({ status: 400, body: { field: "kind" } });
  }, 60_000);
});
