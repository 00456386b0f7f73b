import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { usdtOn } from "@daric/testing/usdt";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterEach, describe, expect, it } from "vitest";
import { NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { ChainReader, TronClient, TronNode } from "./chain-reader.ts";
import {
  explorerTxUrl,
  knownNetwork,
  type Network,
  networkEnvironment,
  publicNetworks,
  readDevnet,
} from "./networks.ts";
import { verifyNetwork } from "./verify-network.ts";

describe("networks", () => {
  it.each(Object.values(publicNetworks))("$name has the same token contracts in both forms", (network) => {
    expect(network.tokens).not.toEqual([]);
    for (const { contract, contractHex } of network.tokens) expect(addressToHex(contract)).toBe(contractHex);
    expect(network.genesisId).toMatch(/^0{16}[0-9a-f]{48}$/);
    expect(publicNetworks[network.name as "nile"]).toBe(network);
    expect(networkEnvironment(network.name)).toBe(network.environment);
  });

  it("only mainnet is live", () => {
    expect(Object.values(publicNetworks).filter(({ environment }) => environment === "live")).toEqual([
      publicNetworks.mainnet,
    ]);
    expect(networkEnvironment("devnet")).toBe("test");
  });

  it("have the chain ids of wallets: the last four bytes of their genesis", () => {
    const chainId = ({ genesisId }: Network) => Number.parseInt(genesisId.slice(-8), 16);
    expect(chainId(publicNetworks.mainnet)).toBe(728_126_428);
    expect(chainId(publicNetworks.nile)).toBe(3_448_148_188);
    expect(chainId(publicNetworks.shasta)).toBe(2_494_104_990);
  });

  it("link to a transaction if an explorer exists", () => {
    expect(explorerTxUrl(publicNetworks.mainnet, "ab")).toBe("https://tronscan.org/#/transaction/ab");
    expect(explorerTxUrl({ ...publicNetworks.nile, explorerTxTemplate: null }, "ab")).toBeNull();
  });
});

describe("a known network", () => {
  const { genesisId, tokens } = publicNetworks.nile;
  const { contract: usdtContract } = usdtOn({ tokens });

  it("is a public one, or a private one with its settings, and never a devnet", () => {
    expect(knownNetwork({ network: "nile" })).toBe(publicNetworks.nile);
    expect(knownNetwork({ network: "devnet", genesisId, usdtContract })).toBeUndefined();
    expect(knownNetwork({ network: "private", genesisId, usdtContract })).toEqual({
      name: "private",
      environment: "test",
      genesisId,
      tokens,
      explorerTxTemplate: null,
    });
  });
});

describe("a devnet", () => {
  const atEnd: (() => void)[] = [];
  afterEach(() => {
    for (const end of atEnd.splice(0)) end();
  });

  async function serve(answer: unknown): Promise<string> {
    const server = createServer((request, response) => {
      response.end(
        request.method === "GET" && request.url === "/devchain/info" ? JSON.stringify(answer) : "{}",
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const genesisId = "0".repeat(16) + "c".repeat(48);
  const { tokens } = publicNetworks.nile;
  const { contract: usdtContract, contractHex: usdtContractHex } = usdtOn({ tokens });

  it("reports its genesis and its USDT contract", async () => {
    const expected = {
      name: "devnet",
      environment: "test",
      genesisId,
      tokens,
      explorerTxTemplate: null,
    };
    await expect(readDevnet(await serve({ genesisId, usdtContract, head: 7 }))).resolves.toEqual(expected);
    await expect(readDevnet(await serve({ genesisId, usdtContract: usdtContractHex }))).resolves.toEqual(
      expected,
    );
  });

  it.each([
    {},
    [],
    { genesisId },
    { usdtContract },
    { genesisId: 5, usdtContract },
    { genesisId, usdtContract: `${usdtContract}x` },
  ])("is refused if it answers %j", async (answer) => {
    await expect(readDevnet(await serve(answer))).rejects.toMatchObject({ fault: "unexpected_answer" });
  });

  it("that does not answer is unreachable", async () => {
    const url = await serve({});
    atEnd.pop()?.();
    await expect(readDevnet(url)).rejects.toBeInstanceOf(NodeError);
  });
});

describe("verifying the network", () => {
  const network = publicNetworks.nile;

  /** Each lie is answered at most `lies` times; the truth follows. */
  type ReportedNode = {
    genesisId?: string;
    decimals?: number | undefined;
    solidFailure?: NodeError;
    lies?: number;
  };

  function clientOf(...nodes: (ReportedNode | NodeError)[]): TronClient {
    const tron = nodes.map((reported, index): TronNode => {
      let lies = "lies" in reported ? (reported.lies ?? 0) : Number.POSITIVE_INFINITY;
      const isLying = () => lies-- > 0;
      const answers: Partial<ChainReader> = {
        getGenesisId: async () => {
          if (reported instanceof NodeError) throw reported;
          return reported.genesisId !== undefined && isLying() ? reported.genesisId : network.genesisId;
        },
        getTokenDecimals: async () => ("decimals" in reported && isLying() ? reported.decimals : 6),
        getSolidBlock: async () => {
          if ("solidFailure" in reported && reported.solidFailure) throw reported.solidFailure;
          return aHeader({ number: 1, timeMs: 1 });
        },
      };
      return { label: `node-${index}`, ...answers } as TronNode;
    });
    return { nodes: tron } as unknown as TronClient;
  }

  const verify = (...nodes: (ReportedNode | NodeError)[]) =>
    verifyNetwork(clientOf(...nodes), network, { pauseMs: 0 });
  const away = new NodeError("late", { fault: "timeout", node: "node-1" });

  it("passes when every node has its genesis and its USDT", async () => {
    await expect(verify({}, {})).resolves.toEqual({
      unusable: [],
      withoutSolidBlocks: [],
    });
  });

  it("lists nodes that do not answer instead of failing", async () => {
    await expect(verify({}, away)).resolves.toEqual({
      unusable: [away],
      withoutSolidBlocks: [],
    });
  });

  it("lists nodes without solid blocks, for any reason", async () => {
    const unset = new NodeError("does not serve /walletsolidity", { fault: "no_solidity", node: "node-0" });
    await expect(verify({ solidFailure: unset }, { solidFailure: away }, {})).resolves.toEqual({
      unusable: [],
      withoutSolidBlocks: ["node-0: does not serve /walletsolidity", "node-1: late"],
    });
  });

  it("fails if any node is of another network, even beside an unreachable one", async () => {
    await expect(verify({}, away, { genesisId: publicNetworks.mainnet.genesisId })).rejects.toThrow(
      /node-2: is not a node of nile/,
    );
  });

  it.each<ReportedNode>([{ genesisId: publicNetworks.mainnet.genesisId }, { decimals: 18 }])(
    "passes a node that reports %j once and corrects it",
    async (lie) => {
      await expect(verify({}, { ...lie, lies: 1 })).resolves.toEqual({
        unusable: [],
        withoutSolidBlocks: [],
      });
      await expect(verify({}, { ...lie, lies: 2 })).rejects.toBeInstanceOf(WrongChainError);
    },
  );

  it("lists a node without the USDT contract, which may still be syncing", async () => {
    await expect(verify({}, { decimals: undefined })).resolves.toMatchObject({
      unusable: [{ message: `node-1: has no contract at ${usdtOn(network).contract} yet` }],
      withoutSolidBlocks: [],
    });
  });

  it.each([18, 0])("fails when the USDT contract has %s decimals", async (decimals) => {
    await expect(verify({ decimals })).rejects.toBeInstanceOf(WrongChainError);
  });
});
