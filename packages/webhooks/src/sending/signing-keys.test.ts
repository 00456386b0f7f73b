import { idOf } from "@daric/domain/ids";
import { expect, it } from "vitest";
import { type SecretPlace, sealSecret } from "./seal-secret.ts";
import { type EndpointKey, signingKeyOf } from "./signature.ts";
import { createSigningKeys, type SealedSecrets } from "./signing-keys.ts";

const masterKey = Buffer.alloc(32, 1);
const [first, second] = [`whsec_${"ab".repeat(32)}`, `whsec_${"cd".repeat(32)}`];
const place = { endpointId: idOf("endpoint", "e1"), merchantId: idOf("merchant", "m1") };

/** The row of an endpoint with these secrets, sealed anew at each call. */
function rowOf(
  secret: string,
  { previous, generation = 1 }: { previous?: string; generation?: number } = {},
): SealedSecrets {
  const seal = (column: SecretPlace["column"], text: string) =>
    sealSecret(masterKey, { ...place, generation, column }, text);
  return {
    ...place,
    secretGeneration: generation,
    sealedSecret: seal("secret_ciphertext", secret),
    previousSealedSecret: previous === undefined ? null : seal("previous_secret_ciphertext", previous),
  };
}

/** The row as another read of the database has it: the same bytes in other buffers. */
function readAgain(row: SealedSecrets): SealedSecrets {
  const { sealedSecret, previousSealedSecret } = row;
  return {
    ...row,
    sealedSecret: Buffer.from(sealedSecret),
    previousSealedSecret: previousSealedSecret && Buffer.from(previousSealedSecret),
  };
}

const exported = ({ plain, standard }: EndpointKey) => [plain.export(), standard.export()];

it("the same sealed secrets give the same keys, which are opened once", () => {
  const keysOf = createSigningKeys([masterKey]);
  for (const row of [rowOf(first), rowOf(second, { previous: first })]) {
    const keys = keysOf(row);
    expect(keysOf(readAgain(row))).toBe(keys);
  }
});

const rotating = rowOf(first, { previous: second });
const { previousSealedSecret } = rowOf(first, { previous: first });

it.each<[string, SealedSecrets, SealedSecrets, string[]]>([
  ["a secret replaced at once", rowOf(first), rowOf(second), [second]],
  ["a rotation", rowOf(first), rowOf(second, { previous: first, generation: 2 }), [second, first]],
  ["the end of its overlap", rotating, { ...rotating, previousSealedSecret: null }, [first]],
  ["another previous secret", rotating, { ...rotating, previousSealedSecret }, [first, first]],
  ["the same secret sealed anew", rowOf(first), rowOf(first), [first]],
])("new sealed secrets give their own keys: %s", (_, before, after, secrets) => {
  const keysOf = createSigningKeys([masterKey]);
  const known = keysOf(before);
  const keys = keysOf(after);
  expect(keys).not.toBe(known);
  expect(keys.map(exported)).toEqual(secrets.map((secret) => exported(signingKeyOf(secret))));
});

it("kept keys are given to their own row only: sealed secrets that were moved do not open", () => {
  const keysOf = createSigningKeys([masterKey]);
  const row = rowOf(first, { previous: second });
  keysOf(row);
  const elsewhere: Partial<SealedSecrets>[] = [
    { merchantId: idOf("merchant", "m2") },
    { endpointId: idOf("endpoint", "e2") },
    { secretGeneration: 2 },
  ];
  for (const moved of elsewhere) expect(() => keysOf({ ...row, ...moved })).toThrow();
});
