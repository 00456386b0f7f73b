import { daric } from "./command-line.ts";
import { keep } from "./home.ts";
import { createSeed } from "./secrets.ts";

export type DemoMerchant = { readonly merchantId: string; readonly apiKey: string };
export type DemoMerchants = {
  readonly first: DemoMerchant;
  readonly second: DemoMerchant;
  readonly clientFee: DemoMerchant;
};

/** Three merchants that differ in what matters: plain, other branding, and fee on top with short-lived orders. */
const FIRST = ["--name", "Blue Bottle Books"];
const SECOND = ["--name", "Saffron & Clove", "--accent-color", "#b45309", "--fee-mode", "merchant"];
const CLIENT_FEE = [
  ...["--name", "Kestrel Cycles", "--accent-color", "#1d4ed8", "--fee-mode", "client"],
  ...["--fee-basis-points", "100", "--fee-fixed-usdt", "0.5", "--order-lifetime", "120s"],
];

/** Makes the demo merchants with the command line, as an operator would; at later starts they are read back. */
export async function keepMerchants(home: string, env: NodeJS.ProcessEnv): Promise<DemoMerchants> {
  return keep(home, "merchants.json", async () => {
    const [first, second, clientFee] = await Promise.all([
      createMerchant(FIRST, env),
      createMerchant(SECOND, env),
      createMerchant(CLIENT_FEE, env),
    ]);
    return { first, second, clientFee };
  });
}

async function createMerchant(options: readonly string[], env: NodeJS.ProcessEnv): Promise<DemoMerchant> {
  const [{ id: merchantId }, wallet] = await Promise.all([
    daric<{ id: string }>(["merchant", "create", ...options], env),
    createSeed(env),
  ]);
  const [{ key: apiKey }] = await Promise.all([
    daric<{ key: string }>(["key", "create", "--merchant", merchantId, "--name", "demo"], env),
    daric(
      ["settlement-account", "add", "--merchant", merchantId, "--address", wallet.firstReceiveAddress],
      env,
    ),
  ]);
  return { merchantId, apiKey };
}
