import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllowedTargets } from "./allowed-targets.ts";
import { parseTarget } from "./guard-url.ts";
import { dialSocket, EgressFailure, guardedDial, type Resolve, vetAddresses } from "./guarded-dial.ts";

/** The operator's lists, on a machine with these addresses. */
const allowing = (allowTargets: string[], denyTargets: string[] = [], own: string[] = []) =>
  readAllowedTargets({ allowTargets, denyTargets }, () => own);
const nothing = allowing([]);
const loopback = allowing(["127.0.0.0/8"]);

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const neverDial = async (): Promise<Socket> => {
  throw new Error("dialled");
};
const neverResolve: Resolve = async () => {
  throw new Error("resolved");
};
const resolvingTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

function target(url: string, allowed = nothing) {
  const parsed = parseTarget(url, allowed);
  if (!parsed) throw new Error(`refused by its text: ${url}`);
  return parsed;
}

const signal = () => AbortSignal.timeout(5_000);

describe("a name is refused before any connect when any of its addresses is private", () => {
  it.each([
    ["its only address is loopback", ["127.0.0.1"]],
    ["one public, one private", ["93.184.216.34", "10.0.0.1"]],
    ["one private, one public", ["10.0.0.1", "93.184.216.34"]],
    ["the end of a CNAME chain is private", ["192.168.1.1"]],
    ["AAAA is a mapped loopback address", ["::ffff:127.0.0.1"]],
    ["AAAA is unique local beside a public A", ["93.184.216.34", "fd00::1"]],
    ["metadata", ["169.254.169.254"]],
    ["the platform address of Azure", ["168.63.129.16"]],
    ["a thousand records, the last one private", [...Array(999).fill("93.184.216.34"), "127.0.0.1"]],
    ["no address at all", ["not-an-address"]],
  ])("%s", async (_, addresses) => {
    const dialling = guardedDial(target("http://example.com/"), nothing, {
      resolve: resolvingTo(...addresses),
      dial: neverDial,
      signal: signal(),
    });
    await expect(dialling).rejects.toMatchObject({ code: "blocked_address" });
  });
});

it("a name without addresses is dns_error, and a look-up without an answer in time is timeout", async () => {
  const options = { dial: neverDial, signal: signal() };
  await expect(
    guardedDial(target("http://example.com/"), nothing, { ...options, resolve: resolvingTo() }),
  ).rejects.toMatchObject({ code: "dns_error" });
  const pending: Resolve = () => new Promise(() => {});
  await expect(
    guardedDial(target("http://example.com/"), nothing, {
      dial: neverDial,
      resolve: pending,
      signal: AbortSignal.timeout(50),
    }),
  ).rejects.toMatchObject({ code: "timeout" });
});

it("the vetted address is dialled, with the name kept for the certificate", async () => {
  const dialled: object[] = [];
  const dialling = guardedDial(target("https://example.com:8443/a"), nothing, {
    resolve: resolvingTo("93.184.216.34", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
    dial: async ({ signal: _signal, ...options }) => {
      dialled.push(options);
      throw new Error("no route");
    },
    signal: signal(),
  });
  await expect(dialling).rejects.toThrow("no route");
  expect(dialled).toEqual([
    { address: "93.184.216.34", port: 8_443, isSecure: true, servername: "example.com" },
    {
      address: "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
      port: 8_443,
      isSecure: true,
      servername: "example.com",
    },
  ]);
});

it("an address in the URL is dialled directly, without a look-up and without a name", async () => {
  const dialled: object[] = [];
  const dialling = guardedDial(target("https://8.8.8.8/"), nothing, {
    resolve: neverResolve,
    dial: async ({ signal: _signal, ...options }) => {
      dialled.push(options);
      throw new Error("no route");
    },
    signal: signal(),
  });
  await expect(dialling).rejects.toThrow("no route");
  expect(dialled).toEqual([{ address: "8.8.8.8", port: 443, isSecure: true, servername: undefined }]);
});

it("a socket connected to a private address is destroyed before a write", async () => {
  let socket: Socket | undefined;
  const dialling = guardedDial(target("http://example.com/"), nothing, {
    resolve: resolvingTo("93.184.216.34"),
    dial: () =>
      new Promise((resolve) => {
        socket = connect(port, "127.0.0.1", () => resolve(socket as Socket));
      }),
    signal: signal(),
  });
  await expect(dialling).rejects.toMatchObject({ code: "blocked_address" });
  expect(socket?.destroyed).toBe(true);
  expect(socket?.bytesWritten).toBe(0);
});

it("a name that becomes private between two tries is refused at the second", async () => {
  let lookups = 0;
  const options = {
    resolve: async () => (lookups++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]),
    signal: signal(),
  };
  const url = target(`http://rebind.example.com:${port}/`);
  const socket = await guardedDial(url, loopback, { ...options, dial: dialSocket });
  socket.destroy();
  await expect(guardedDial(url, loopback, { ...options, dial: neverDial })).rejects.toMatchObject({
    code: "blocked_address",
  });
  expect(lookups).toBe(2);
});

it("the next address is dialled when the first does not answer, four at most", async () => {
  const dialled: string[] = [];
  const dialling = guardedDial(target("http://example.com/"), nothing, {
    resolve: resolvingTo("1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4", "1.0.0.5"),
    dial: async ({ address }) => {
      dialled.push(address);
      throw new Error("refused");
    },
    signal: signal(),
  });
  await expect(dialling).rejects.toThrow("refused");
  expect(dialled).toEqual(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
});

it.each([
  [["connect_refused", "connect_error"], "connect_refused"],
  [["connect_error", "connect_refused", "connect_error"], "connect_refused"],
  [["connect_refused", "tls_error"], "tls_error"],
  [["connect_error", "connect_error"], "connect_error"],
] as const)(
  "the last failure of a host's addresses counts, except connect_error: %s",
  async (codes, code) => {
    const left = [...codes];
    const dialling = guardedDial(target("http://example.com/"), nothing, {
      resolve: resolvingTo(...codes.map((_, index) => `1.0.0.${index + 1}`)),
      dial: async () => {
        throw new EgressFailure(left.shift() ?? "timeout");
      },
      signal: signal(),
    });
    await expect(dialling).rejects.toMatchObject({ code });
  },
);

it("an allowed name may resolve to a private address; another name may not", async () => {
  const named = allowing(["hooks.internal"]);
  const resolve = resolvingTo("10.0.0.7");
  expect(
    await vetAddresses(target("http://hooks.internal/", named), named, { resolve, signal: signal() }),
  ).toEqual(["10.0.0.7"]);
  await expect(
    vetAddresses(target("http://hooks.example.com/", named), named, { resolve, signal: signal() }),
  ).rejects.toMatchObject({ code: "blocked_address" });
});

it.each([
  ["denied", allowing(["10.0.0.0/8"], ["10.1.0.0/16"]), "10.1.0.7"],
  ["denied by the name of its host", allowing(["10.0.0.0/8"], ["example.com"]), "10.2.0.7"],
  ["this machine's own", allowing([], [], ["93.184.216.34"]), "93.184.216.34"],
])("a name whose address is %s is refused before any connect", async (_, rules, address) => {
  const dialling = guardedDial({ ...target("http://example.com/"), host: "example.com" }, rules, {
    resolve: resolvingTo(address),
    dial: neverDial,
    signal: signal(),
  });
  await expect(dialling).rejects.toMatchObject({ code: "blocked_address" });
});
