import { type Devchain, type DevchainOptions, startDevchain } from "@daric/devchain";
import { TronWeb } from "tronweb";

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted on, not computed with
  readonly body: any;
};

/** Clients for both APIs of a chain. */
export type DevchainClient = Pick<Devchain, "url" | "genesisId" | "usdtContract" | "payer"> & {
  post(path: string, body: object | string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** a call of the control API that must succeed; returns its body */
  control<T = Answer["body"]>(path: string, body: object): Promise<T>;
  mine(blocks: number, stepMs?: number): Promise<void>;
  /** an unmodified TronWeb that signs as the payer by default */
  tronWeb(privateKey?: string): TronWeb;
};

/** A chain that mines only on command. */
export type TestDevchain = Omit<Devchain, keyof DevchainClient> & DevchainClient;

/** Starts a chain in this process on a free port. Without accounts beside the payer it starts in a third of the time. */
export async function aDevchain(options: DevchainOptions = {}): Promise<TestDevchain> {
  const devchain = await startDevchain({ paused: true, accounts: 0, ...options });
  return { ...devchain, ...devchainClient(devchain) };
}

/** Clients for a chain in any process, as `GET /devchain/info` describes it. */
export function devchainClient(
  devchain: Pick<Devchain, "url" | "genesisId" | "usdtContract" | "payer">,
): DevchainClient {
  const { url, genesisId, usdtContract, payer } = devchain;
  const call = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? "" : JSON.parse(text) };
  };
  const post = (path: string, body: object | string) =>
    call(path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  const control = async <T>(path: string, body: object): Promise<T> => {
    const { status, body: answer } = await post(`/devchain/${path}`, body);
    if (status !== 200) throw new Error(`devchain ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as T;
  };
  return {
    url,
    genesisId,
    usdtContract,
    payer,
    post,
    get: (path) => call(path),
    control,
    mine: async (blocks, stepMs) => {
      await control("mine", { blocks, ...(stepMs !== undefined && { stepMs }) });
    },
    tronWeb: (privateKey = payer.privateKey) => new TronWeb({ fullHost: url, privateKey }),
  };
}
