import { type Devchain, type DevchainOptions, startDevchain } from "@daric/devchain";
import { TronWeb } from "tronweb";

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are asserted on, not computed with
  readonly body: any;
};

/** A chain that mines only on command, with clients for both of its APIs. */
export interface TestDevchain extends Devchain {
  post(path: string, body: object | string): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** a call of the control API that must succeed; returns its body */
  control<T = Answer["body"]>(path: string, body: object): Promise<T>;
  mine(blocks: number, stepMs?: number): Promise<void>;
  /** an unmodified TronWeb that signs as the payer by default */
  tronWeb(privateKey?: string): TronWeb;
}

/** Starts a chain in this process on a free port. */
export async function aDevchain(options: DevchainOptions = {}): Promise<TestDevchain> {
  const devchain = await startDevchain({ paused: true, ...options });
  const call = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(devchain.url + path, init);
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
    ...devchain,
    post,
    get: (path) => call(path),
    control,
    mine: async (blocks, stepMs) => {
      await control("mine", { blocks, ...(stepMs !== undefined && { stepMs }) });
    },
    tronWeb: (privateKey = devchain.payer.privateKey) => new TronWeb({ fullHost: devchain.url, privateKey }),
  };
}
