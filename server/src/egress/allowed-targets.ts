import { networkInterfaces } from "node:os";
import { type Address, firstOf, isIn, parseIp, type Range, rangeOf, ranges } from "./ip-ranges.ts";

/** The targets that settings allow and deny, as their texts. */
export type TargetSettings = {
  readonly allowTargets: readonly string[];
  readonly denyTargets: readonly string[];
};

/** Hosts and addresses that the operator named. */
type NamedTargets = {
  readonly names: ReadonlySet<string>;
  readonly ranges: readonly Range[];
};

/** Targets that may be private all the same, as the operator set them, and what is decided against others. */
export type AllowedTargets = NamedTargets & {
  /** refused, public or allowed though they are */
  readonly denied: NamedTargets;
  /** the addresses of this machine at this moment, private wherever they are */
  readonly ownAddresses: () => readonly string[];
};

/** The addresses of the interfaces of this machine, as they are now. */
export function readOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
}

/**
 * Link-local addresses (RFC 3927, RFC 4291), where clouds hand out the credentials of the machine. Neither a wider range
 * nor the name of a host opens them: only a range of their own does.
 */
const LINK_LOCAL = ranges("169.254.0.0/16", "fe80::/10");

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** URLs take a host that ends in one for an IPv4. */
const NUMBER = /^(\d+|0x[\da-f]*)$/i;

/**
 * Reads the targets that settings allow and deny: an entry is a CIDR, an address or a host name, and a name is matched exactly.
 * What is none of them opens and closes nothing.
 */
export function readAllowedTargets(
  settings: TargetSettings,
  ownAddresses: () => readonly string[] = readOwnAddresses,
): AllowedTargets {
  const { allowTargets, denyTargets } = settings;
  return { ...readTargets(allowTargets), denied: readTargets(denyTargets), ownAddresses };
}

function readTargets(entries: readonly string[]): NamedTargets {
  const targets = entries.map(readTarget);
  return {
    names: new Set(targets.flatMap((target) => ("name" in target ? [target.name] : []))),
    ranges: targets.flatMap((target) => ("range" in target ? [target.range] : [])),
  };
}

/** The range that an entry opens; undefined where it is a name. */
export function rangeOfTarget(entry: string): Range | undefined {
  const target = readTarget(entry);
  return "range" in target ? target.range : undefined;
}

/** What is wrong with an entry of them, and what would be right; undefined where nothing is. */
export function faultOfTarget(entry: string): string | undefined {
  const target = readTarget(entry);
  return "fault" in target ? target.fault : undefined;
}

/** Whether the operator allowed this very address, by its range or, unless it is link-local, by the name of its host. */
export function isOpened(address: Address, allowed: AllowedTargets, name?: string): boolean {
  const linkLocal = LINK_LOCAL.find((range) => isIn(address, [range]));
  if (linkLocal) return allowed.ranges.some((range) => range[1] >= linkLocal[1] && isIn(address, [range]));
  return isIn(address, allowed.ranges) || (name !== undefined && allowed.names.has(name));
}

/** Whether the operator denied this very address, by its range or by the name of its host. */
export function isDenied(address: Address, { denied }: AllowedTargets, name?: string): boolean {
  return isIn(address, denied.ranges) || (name !== undefined && denied.names.has(name));
}

/** Whether this address is one of this machine's own at this moment. */
export function isOwn(address: Address, { ownAddresses }: Pick<AllowedTargets, "ownAddresses">): boolean {
  const own = ownAddresses().flatMap((text) => parseIp(text) ?? []);
  return isIn(address, own.map(rangeOf));
}

/** Whether an address of this machine lies in the range: it is private, whatever the others there are. */
export function holdsOwn(range: Range): boolean {
  return readOwnAddresses().some((text) => {
    const address = parseIp(text);
    return address !== undefined && isIn(address, [range]);
  });
}

type Target = { readonly range: Range } | { readonly name: string } | { readonly fault: string };

function readTarget(entry: string): Target {
  const address = parseIp(entry);
  if (address) return { range: rangeOf(address) };
  if (/^[^/]*\/\d+$/.test(entry)) return readRange(entry);
  if (isHostName(entry)) return { name: withoutRootDot(entry.toLowerCase()) };
  return { fault: faultOfText(entry) };
}

function readRange(cidr: string): Target {
  const [text = "", length = ""] = cidr.split("/");
  const network = parseIp(text);
  if (network === undefined) return { fault: "does not start with an address like 10.0.0.0 or fd00::" };
  const bits = Number(length);
  // Addresses are judged by the IPv4 that they stand for: a mapped range would never be met.
  if (network.kind() === "ipv4" && text.includes(":"))
    return { fault: `maps IPv4: write ${network}/${Math.max(0, bits - 96)}` };
  const mostBits = rangeOf(network)[1];
  if (bits > mostBits || String(bits) !== length)
    return { fault: `does not end in a number from /0 to /${mostBits}` };
  const first = firstOf(cidr).toString();
  if (first !== network.toString())
    return { fault: `starts inside its range: write ${first}/${bits} or ${network}` };
  return { range: [network, bits] };
}

function faultOfText(entry: string): string {
  if (/[;\s]/.test(entry)) return "is more than one entry: put commas between";
  if (entry.includes("*")) return "has a wildcard: write each host name in full";
  const url = entry.includes("://") ? entry : `http://${entry}`;
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, "$1") : "";
  if (parseIp(host) || isHostName(host)) return `is not a host alone, which has any port: write ${host}`;
  return "is neither a CIDR like 10.0.0.0/8 nor an address nor a host name";
}

function isHostName(text: string): boolean {
  const labels = withoutRootDot(text).split(".");
  return labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? "");
}

/** The dot of the root says nothing: `example.com.` is `example.com`. */
export function withoutRootDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
