import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Tre = { readonly port: number; stop(): void };

/**
 * A chain with the three endpoints of `tronbox/tre` that TronWeb's tests call beside those of a node: accounts with money, and a block
 * on request. Every other request goes to the chain unchanged.
 */
export async function startTre(chainUrl: string): Promise<Tre> {
  const { accounts } = (await (await fetch(`${chainUrl}/devchain/accounts`)).json()) as {
    accounts: { privateKey: string }[];
  };
  const privateKeys = accounts.map(({ privateKey }) => privateKey);
  const answer = async (request: IncomingMessage): Promise<Response> => {
    const { method = "GET", url = "/" } = request;
    const body = await text(request);
    if (url.startsWith("/admin/temporary-accounts-generation")) return Response.json({});
    if (url === "/admin/accounts-json") return Response.json({ privateKeys, more: [{ privateKeys }] });
    if (url === "/tre") return fetch(`${chainUrl}/devchain/mine`, { method, body: '{"blocks":1}' });
    return fetch(chainUrl + url, { method, ...(body !== "" && { body }) });
  };
  const server = createServer((request, response) => {
    answer(request)
      .then(async (answered) => {
        const type = answered.headers.get("content-type") ?? "application/json";
        response.writeHead(answered.status, { "content-type": type }).end(await answered.text());
      })
      .catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
