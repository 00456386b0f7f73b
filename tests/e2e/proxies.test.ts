import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { freePort } from "@daric/testing/free-port";
import { type Row, type Stack, startStack } from "@daric/testing/stack";
import { SELF_SIGNED } from "@daric/testing/tls-certificate";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

/** Runs the sample configurations of ops/deploy/ in front of a real service, with the distribution's programs. */
const DEPLOY = join(import.meta.dirname, "../../ops", "deploy");
/** The host of the test certificate. */
const HOST = "receiver.example";
const SIGN_INS = 3;

type Proxy = { readonly port: number; readonly plainPort: number; readonly ca: string };
type Answer = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

let place: string;
let stack: Stack;
const children: ChildProcess[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "daric-proxies-"));
  stack = await startStack({
    PUBLIC_BASE_URL: `https://${HOST}`,
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMIT_SIGN_IN_PER_MINUTE: String(SIGN_INS),
  });
});

afterAll(async () => {
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  await stack.stop();
  await rm(place, { recursive: true, force: true });
});

const samples: Record<string, () => Promise<Proxy>> = { caddy: startCaddy, nginx: startNginx };

function run(program: string, args: string[], env: Record<string, string> = {}): void {
  children.push(spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" }));
}

/** Starts Caddy with its own certificate authority, on ports that an ordinary user may open. */
async function startCaddy(): Promise<Proxy> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = join(place, "Caddyfile");
  const globals = [
    ...["admin off", "skip_install_trust", "local_certs", "default_bind 127.0.0.1"],
    ...[`http_port ${plainPort}`, `https_port ${port}`],
  ];
  await writeFile(file, `{\n${globals.join("\n")}\n}\nimport ${DEPLOY}/caddy/Caddyfile\n`);
  const env = {
    DOMAIN: HOST,
    DARIC_UPSTREAMS: new URL(stack.baseUrl).host,
    HOME: place,
    XDG_DATA_HOME: place,
  };
  run("caddy", ["run", "--config", file, "--adapter", "caddyfile"], env);
  let ca = "";
  await until("Caddy has a certificate authority", async () => {
    ca = await readFile(join(place, "caddy/pki/authorities/local/root.crt"), "utf8");
    return true;
  });
  return { port, plainPort, ca };
}

async function startNginx(): Promise<Proxy> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const folder = join(place, "nginx");
  await mkdir(folder);
  await writeFile(join(folder, "key.pem"), SELF_SIGNED.key);
  await writeFile(join(folder, "cert.pem"), SELF_SIGNED.cert);
  const sample = await readFile(join(DEPLOY, "nginx/daric.conf"), "utf8");
  const site = sample
    .replaceAll("/etc/letsencrypt/live/pay.example.com/fullchain.pem", join(folder, "cert.pem"))
    .replaceAll("/etc/letsencrypt/live/pay.example.com/privkey.pem", join(folder, "key.pem"))
    .replaceAll("pay.example.com", HOST)
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace("127.0.0.1:3000", new URL(stack.baseUrl).host);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = `daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "error.log")}; events {}
http { access_log off; ${temporary.join(" ")} ${site} }`;
  await writeFile(join(folder, "nginx.conf"), main);
  run("nginx", ["-e", join(folder, "error.log"), "-p", folder, "-c", join(folder, "nginx.conf")]);
  return { port, plainPort, ca: SELF_SIGNED.cert };
}

/** The status of a GET without TLS, and where it leads. */
async function askPlainly({ plainPort: port }: Proxy, path: string): Promise<[status?: number, to?: string]> {
  const asking = plainRequest({ host: "127.0.0.1", port, path, headers: { host: HOST } }).end();
  const [{ statusCode, headers }] = await once(asking, "response");
  return [statusCode, headers.location];
}

const tls = ({ port, ca }: Proxy) => ({ host: "127.0.0.1", port, ca, servername: HOST });

function ask(
  proxy: Proxy,
  path: string,
  options: { localAddress?: string; headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<Answer> {
  const { body, headers, ...rest } = options;
  return new Promise((resolve, reject) => {
    const asking = request(
      { ...tls(proxy), ...rest, path, headers: { ...headers, host: HOST } },
      (response) => {
        const { statusCode: status, headers: answered } = response;
        text(response).then((whole) => resolve({ status, headers: answered, body: whole }), reject);
      },
    );
    asking.once("error", reject);
    asking.end(body);
  });
}

describe.each(Object.keys(samples).map((name, index) => ({ name, index })))(
  "the sample of $name",
  ({ name, index }) => {
    const isHere = spawnSync(name, ["version"], { stdio: "ignore" }).error === undefined;
    const own = (last: number) => `127.0.${index + 1}.${last}`;
    let proxy: Proxy;
    let order: Row;

    beforeAll(async () => {
      if (!isHere) return;
      proxy = await (samples[name] as () => Promise<Proxy>)();
      await until(`${name} serves`, async () => (await ask(proxy, "/healthz")).status === 200);
    });

    it.skipIf(!isHere)(
      "an order is created, shown and paid, and its page shows the payment at once",
      async () => {
        const { apiKey } = await stack.merchant();
        const made = await ask(proxy, "/v1/deposit-addresses", {
          method: "POST",
          headers: { "x-api-key": apiKey, "content-type": "application/json" },
          body: JSON.stringify({ amount: "25.5", orderRef: "A-1042" }),
        });
        expect(made.status).toBe(201);
        order = JSON.parse(made.body).data;
        const page = new URL(order.checkout_url);
        expect(page.origin).toBe(`https://${HOST}`);
        expect((await ask(proxy, page.pathname)).body).toContain(order.address);

        const url = `wss://127.0.0.1:${proxy.port}/v1/checkout/${order.checkout_token}/live`;
        const socket = new WebSocket(url, { ...tls(proxy), headers: { host: HOST }, origin: page.origin });
        const states: string[] = [];
        socket.on("message", (data) => states.push(JSON.parse(String(data)).data.state));
        await until("the page has the state", () => states.includes("awaiting"));
        await stack.control("faucet", { address: order.address, usdt: "25.5" });
        await stack.mine(20);
        await until("the page shows the payment", () => states.includes("paid"));
        socket.close();
      },
    );

    it.skipIf(!isHere)("responses have one HSTS header, for a year", async () => {
      const { headers } = await ask(proxy, new URL(order.checkout_url).pathname);
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    });

    it.skipIf(!isHere)("pages lead on from http, and the paths of programs are refused there", async () => {
      expect(await askPlainly(proxy, "/c/token?lang=en")).toEqual([308, `https://${HOST}/c/token?lang=en`]);
      for (const path of ["/v1/deposits", "/dashboard/v1/session"])
        expect(await askPlainly(proxy, path)).toEqual([403, undefined]);
    });

    it.skipIf(!isHere)("suites without forward secrecy or authenticated encryption are refused", async () => {
      const shake = async (ciphers: string) => {
        const socket = connect({ ...tls(proxy), ciphers, maxVersion: "TLSv1.2" });
        const outcome = await once(socket, "secureConnect").then(
          () => socket.getCipher().name,
          (error: Error) => ("code" in error ? error.code : error),
        );
        socket.destroy();
        return outcome;
      };
      expect(await shake("ECDHE+AESGCM")).toMatch(/^ECDHE-\w+-AES\d+-GCM-/);
      for (const weak of ["AES256-GCM-SHA384:AES128-GCM-SHA256", "ECDHE+SHA384:ECDHE+SHA:!AESGCM"])
        expect(await shake(weak)).toMatch(/HANDSHAKE_FAILURE|ECONNRESET/);
    });

    it.skipIf(!isHere)("paths for operators are closed", async () => {
      for (const path of ["/metrics", "/readyz"]) {
        const { status, body } = await ask(proxy, path);
        expect([status, body]).not.toEqual([200, expect.anything()]);
        expect(body).not.toContain("daric_");
      }
    });

    it.skipIf(!isHere)("each caller has its own limits, and cannot claim another address", async () => {
      const signIn = async (localAddress: string, claimed: string) => {
        const headers = {
          "x-forwarded-for": claimed,
          origin: `https://${HOST}`,
          "content-type": "application/json",
        };
        const body = JSON.stringify({ email: `${claimed}@${name}.example`, password: "a wrong password" });
        const answer = await ask(proxy, "/dashboard/v1/sign-in", {
          method: "POST",
          localAddress,
          headers,
          body,
        });
        return answer.status;
      };
      for (let n = 0; n < SIGN_INS; n += 1) expect(await signIn(own(2), `203.0.113.${n}`)).toBe(401);
      expect(await signIn(own(2), "203.0.113.99")).toBe(429);
      expect(await signIn(own(3), "203.0.113.99")).toBe(401);
    });
  },
);
