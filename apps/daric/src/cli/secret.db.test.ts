import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { createFindCaller } from "@daric/merchants/find-caller";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext, TEST_PEPPER, withSettings } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { readSealedSecrets } from "@daric/webhooks/endpoints/reseal-store";
import { sealSecret } from "@daric/webhooks/sending/seal-secret";
import { createSigningKeys } from "@daric/webhooks/sending/signing-keys";
import { afterAll, beforeAll, expect, it } from "vitest";

const OLD_KEY = "11".repeat(32);
const NEW_KEY = "77".repeat(32);
const NEW_PEPPER = "another-pepper-another-pepper-another";
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let endpointId: EndpointId;

beforeAll(async () => {
  context = await createTestContext();
  ({ id: merchantId } = await aMerchant(context.db));
  endpointId = await anEndpointRow(context.db, merchantId);
  const place = { endpointId, merchantId, column: "secret_ciphertext", generation: 1 } as const;
  const sealed = sealSecret(Buffer.from(OLD_KEY, "hex"), place, `whsec_${"ab".repeat(32)}`);
  await context.owner.query(sql`
    update webhook_endpoints set secret_ciphertext = ${sealed}, secret_generation = 1
    where merchant_id = ${merchantId} and id = ${endpointId}`);
});
afterAll(() => context.close());

const daric = (args: string[], secrets: Record<string, string>) =>
  captureDaric(args, { ...daricVariables(context), DATABASE_DIRECT_URL: context.ownerUrl, ...secrets });
const old = { DARIC_KEY_PEPPER: TEST_PEPPER, DARIC_MASTER_KEY: OLD_KEY };
const both = {
  DARIC_KEY_PEPPER: NEW_PEPPER,
  DARIC_KEY_PEPPER_PREVIOUS: TEST_PEPPER,
  DARIC_MASTER_KEY: NEW_KEY,
  DARIC_MASTER_KEY_PREVIOUS: OLD_KEY,
};
const onlyNew = { DARIC_KEY_PEPPER: NEW_PEPPER, DARIC_MASTER_KEY: NEW_KEY };

/** Whether the webhook secret opens under this key. */
async function opens(key: string): Promise<boolean> {
  const { generation, sealed, previous } = one(await readSealedSecrets(context.db, merchantId));
  const row = { merchantId, endpointId, sealedSecret: sealed, previousSealedSecret: previous };
  try {
    createSigningKeys([Buffer.from(key, "hex")])({ ...row, secretGeneration: generation });
    return true;
  } catch {
    return false;
  }
}

it("pepper and master key are replaced while the service runs with both, and the old ones are refused afterwards", async () => {
  const first = await anApiKey(context, merchantId, { name: "shop" });
  // Binds the database to the old secrets.
  expect((await daric(["key", "create", "--merchant", merchantId], old)).code).toBe(0);
  expect((await daric(["secret", "rotate"], onlyNew)).err).toContain("nothing is rotated");
  expect((await daric(["key", "create", "--merchant", merchantId], onlyNew)).err).toContain(
    "is not the one of this database",
  );
  expect((await daric(["key", "create", "--merchant", merchantId], both)).code).toBe(0);

  const settings = withSettings(context, {
    merchants: { keyPepper: NEW_PEPPER, previousKeyPepper: TEST_PEPPER },
  });
  expect(await createFindCaller(settings)(first.key)).toMatchObject({ merchantId });
  const without = withSettings(context, {
    merchants: { keyPepper: NEW_PEPPER, previousKeyPepper: undefined },
  });
  expect(await createFindCaller(without)(first.key)).toBeUndefined();

  expect([await opens(OLD_KEY), await opens(NEW_KEY)]).toEqual([true, false]);
  const rotated = await daric(["secret", "rotate", "--json"], both);
  expect(JSON.parse(rotated.out)).toMatchObject({
    resealed: 1,
    lost: [],
    keysOfPreviousPepper: [{ id: first.id }, {}],
  });
  expect([await opens(OLD_KEY), await opens(NEW_KEY)]).toEqual([false, true]);
  expect((await daric(["secret", "rotate"], both)).out).toMatch(
    /^0 secrets were sealed [\s\S]*shop[\s\S]*These API keys need it/,
  );

  expect((await daric(["key", "create", "--merchant", merchantId], old)).err).toContain(
    "is not the one of this database",
  );
  const { out } = await daric(["secret", "rotate", "--plan", "--json"], onlyNew);
  for (const { id } of JSON.parse(out) as { id: string }[]) await daric(["key", "revoke", id], onlyNew);
  expect((await daric(["secret", "rotate", "--plan"], onlyNew)).out).toBe(
    "No API key and no password needs the previous pepper: remove DARIC_KEY_PEPPER_PREVIOUS.\n",
  );
});

it("a secret that opens under neither key is named, and stays as it is", async () => {
  await context.owner.query(sql`
    update webhook_endpoints set secret_ciphertext = '\\x0200' where merchant_id = ${merchantId} and id = ${endpointId}`);
  expect(await daric(["secret", "rotate"], both)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`these open under neither master key: ${endpointId}`),
  });
});
