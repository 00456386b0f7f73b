import { isUrl } from "@daric/domain/url";
import { baseUrl, integer, integerOr, list, setting } from "@daric/runtime/setting";
import { z } from "zod";
import { faultOfProxy, isTooWideForProxy } from "./trusted-proxy.ts";

const proxies = list.superRefine((entries, issue) => {
  for (const entry of entries) {
    const fault = faultOfProxy(entry);
    if (fault !== undefined) issue.addIssue({ code: "custom", message: `has "${entry}", which ${fault}` });
  }
});

/** Names as in a browser's Host header, without a port. */
const hostNames = list.superRefine((entries, issue) => {
  for (const entry of entries)
    if (!isUrl(`http://${entry}`) || new URL(`http://${entry}`).hostname !== entry.toLowerCase())
      issue.addIssue({ code: "custom", message: `has "${entry}", which is no host name alone` });
});

/** The settings of the listeners, their public URL, and the limits of one caller. */
export const httpSettings = {
  host: setting({
    env: "HOST",
    read: z.string().min(1).prefault("127.0.0.1"),
    default: "127.0.0.1",
    roles: ["api"],
    meaning: "The address the API and the checkout page listen on.",
  }),
  port: setting({
    env: "PORT",
    read: integer(0, 65_535).prefault("3000"),
    default: "3000",
    roles: ["api"],
    meaning: "The port of the API and the checkout page.",
  }),
  publicBaseUrl: setting({
    env: "PUBLIC_BASE_URL",
    read: baseUrl.optional(),
    default: "none",
    roles: ["all"],
    meaning:
      "The base URL of checkout links, of the dashboard and of the links in alerts. Without it checkout_url is null.",
    warning: (url) =>
      url === undefined
        ? "is not set: checkout_url is null in every answer, and alerts have no links"
        : undefined,
  }),
  metricsHost: setting({
    env: "METRICS_HOST",
    read: z.string().min(1).prefault("127.0.0.1"),
    default: "127.0.0.1",
    roles: ["all"],
    meaning: "The address of /metrics and the probes beside it. Every client that reaches it can read them.",
  }),
  metricsPort: setting({
    env: "METRICS_PORT",
    read: integer(0, 65_535).prefault("9464"),
    default: "9464",
    roles: ["all"],
    meaning: "The port of /metrics, /healthz and /readyz.",
  }),
  metricsAllowedHosts: setting({
    env: "METRICS_ALLOWED_HOSTS",
    read: hostNames.prefault("").transform((names) => names.map((name) => name.toLowerCase())),
    default: "none",
    roles: ["all"],
    meaning:
      "Host names for METRICS_PORT, beside addresses, localhost and METRICS_HOST: the name under which Prometheus finds it, like daric in a compose network.",
  }),
  drainMs: setting({
    env: "SHUTDOWN_DRAIN_MS",
    read: integer(0, 600_000).prefault("5000"),
    default: "5000",
    roles: ["api"],
    meaning:
      "Time after SIGTERM in which requests are still answered while `/readyz` is 503, in milliseconds: longer than a balancer needs to send them elsewhere.",
  }),
  maxConnections: setting({
    env: "HTTP_MAX_CONNECTIONS",
    read: integer(1, 1_000_000).optional(),
    default: "12000, or what `ulimit -n` leaves",
    roles: ["api"],
    meaning: "Connections to PORT at the same time. At the limit the least needed one is closed.",
  }),
  maxConnectionsPerAddress: setting({
    env: "HTTP_MAX_CONNECTIONS_PER_ADDRESS",
    read: integer(1, 1_000_000).optional(),
    default: "an eighth of all",
    roles: ["api"],
    meaning:
      "The same for one IPv4 address or IPv6 /64, except TRUSTED_PROXIES; an eighth of them may be websockets of checkout pages. Raise it if a proxy in front of PORT hides the addresses of callers.",
  }),
  trustedProxies: setting({
    env: "TRUSTED_PROXIES",
    read: proxies.prefault(""),
    default: "none",
    roles: ["api"],
    meaning: "Proxies whose X-Forwarded-For counts, as addresses or CIDRs.",
    warning: (entries) => {
      const wide = entries.filter(isTooWideForProxy).map((entry) => `"${entry}"`);
      if (wide.length === 0) return undefined;
      return `has ${wide.join(", ")}, which is wider than the network of one owner: every client there could choose its own address`;
    },
  }),
  keyRequestsPerSecond: setting({
    env: "RATE_LIMIT_KEY_PER_SECOND",
    ...integerOr(20, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requests per second of one API key, sustained.",
  }),
  keyBurst: setting({
    env: "RATE_LIMIT_KEY_BURST",
    ...integerOr(40, 1, 1_000_000),
    roles: ["api"],
    meaning: "Burst of requests of one API key.",
  }),
  failuresPerMinute: setting({
    env: "RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE",
    ...integerOr(30, 1, 1_000_000),
    roles: ["api"],
    meaning:
      "Reads per minute and address with unknown checkout tokens, and refused API keys of the old form.",
  }),
};

/**
 * The warning for a base URL on this network. Payers cannot reach localhost. A payment page without TLS can
 * be changed on its way to name any address.
 */
export function warningOfBaseUrl(network: string | undefined, url: string | undefined): string | undefined {
  if (url === undefined || network === undefined || network === "devnet" || network === "private")
    return undefined;
  if (/^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(new URL(url).hostname))
    return `${httpSettings.publicBaseUrl.env} is this machine itself, which payers cannot reach`;
  if (network !== "mainnet" || url.startsWith("https:")) return undefined;
  return `${httpSettings.publicBaseUrl.env} is not https, and its pages take real money`;
}
