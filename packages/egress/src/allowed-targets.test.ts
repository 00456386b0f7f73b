import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { faultOfTarget, readAllowedTargets, readOwnAddresses } from "./allowed-targets.ts";
import { isAllowedAddress } from "./guard-url.ts";

/** The operator's lists, on a machine with these addresses. */
const allowing = (allowTargets: string[], denyTargets: string[] = [], own: string[] = []) =>
  readAllowedTargets({ allowTargets, denyTargets }, () => own);

describe("an entry of WEBHOOK_ALLOW_TARGETS that would open nothing is refused, with a correction", () => {
  it.each([
    ["10.0.0.0/33", "does not end in a number from /0 to /32"],
    ["fd00::/129", "does not end in a number from /0 to /128"],
    ["10.0.0.0/08", "does not end in a number from /0 to /32"],
    ["fd00::/007", "does not end in a number from /0 to /128"],
    ["10.1.2.3/8", "starts inside its range: write 10.0.0.0/8 or 10.1.2.3"],
    ["fd00::1/8", "starts inside its range: write fd00::/8 or fd00::1"],
    ["::ffff:127.0.0.0/104", "maps IPv4: write 127.0.0.0/8"],
    ["10.0.0/24", "does not start with an address like 10.0.0.0 or fd00::"],
    ["10.0.0.0/8;192.168.0.0/16", "is more than one entry: put commas between"],
    ["http://10.0.0.1", "is not a host alone, which has any port: write 10.0.0.1"],
    ["https://hooks.internal:8080/path", "is not a host alone, which has any port: write hooks.internal"],
    ["10.0.0.1:8080", "is not a host alone, which has any port: write 10.0.0.1"],
    ["hooks.internal:8080", "is not a host alone, which has any port: write hooks.internal"],
    ["[::1]", "is not a host alone, which has any port: write ::1"],
    ["127.1", "is not a host alone, which has any port: write 127.0.0.1"],
    ["münchen.example", "is not a host alone, which has any port: write xn--mnchen-3ya.example"],
    ["*.internal", "has a wildcard: write each host name in full"],
    ["256.1.1.1", "is neither a CIDR like 10.0.0.0/8 nor an address nor a host name"],
    ["two words", "is more than one entry: put commas between"],
    ["a..b", "is neither a CIDR like 10.0.0.0/8 nor an address nor a host name"],
  ])("%s", (entry, fault) => {
    expect(faultOfTarget(entry)).toBe(fault);
    expect(allowing([entry], [entry])).toMatchObject({
      names: new Set(),
      ranges: [],
      denied: { names: new Set(), ranges: [] },
    });
  });

  it.each([
    "10.0.0.0/8",
    "10.1.2.3/32",
    "0.0.0.0/0",
    "fd00::/8",
    "::/0",
    "127.0.0.1",
    "::1/128",
    "::ffff:127.0.0.1",
    "169.254.169.254",
    "localhost",
    "Hooks.Internal.",
    "my_receiver",
    "receiver-1.shop.svc",
  ])("%s is accepted", (entry) => {
    expect(faultOfTarget(entry)).toBeUndefined();
  });
});

describe("only a range of their own opens link-local addresses", () => {
  const isOpen = (address: string, entries: string[], name?: string) =>
    isAllowedAddress(address, allowing(entries), name);

  it.each(["169.254.169.254", "::ffff:169.254.169.254", "fe80::1"])("%s", (address) => {
    for (const entries of [["0.0.0.0/0", "::/0"], ["168.0.0.0/5", "fe00::/9"], ["metadata.internal"]])
      expect(isOpen(address, entries, "metadata.internal"), String(entries)).toBe(false);
    for (const entries of [
      ["169.254.0.0/16", "fe80::/10"],
      ["169.254.169.254", "fe80::1"],
    ])
      expect(isOpen(address, entries), String(entries)).toBe(true);
  });

  it("a wide range and a name open all other addresses", () => {
    expect(isOpen("10.0.0.1", ["0.0.0.0/0"])).toBe(true);
    expect(isOpen("fd00::1", ["::/0"])).toBe(true);
    expect(isOpen("10.0.0.1", ["hooks.internal"], "hooks.internal")).toBe(true);
    expect(isOpen("10.0.0.1", ["hooks.internal"], "other.internal")).toBe(false);
  });
});

describe("a denied target is refused", () => {
  const isOpen = (address: string, rules: ReturnType<typeof allowing>, name?: string) =>
    isAllowedAddress(address, rules, name);

  it("by range, by address and by host name, even if public or allowed", () => {
    const rules = allowing(
      ["10.0.0.0/8", "hooks.internal", "::/0"],
      ["10.1.0.0/16", "93.184.216.0/24", "2001:4860::/32", "hooks.internal"],
    );
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "93.184.216.34", "2001:4860:4860::8888"])
      expect(isOpen(address, rules), address).toBe(false);
    for (const address of ["10.2.0.1", "93.184.217.1", "2606:4700::1"])
      expect(isOpen(address, rules), address).toBe(true);
    expect(isOpen("8.8.8.8", rules, "hooks.internal")).toBe(false);
    expect(isOpen("8.8.8.8", rules, "hooks.example.com")).toBe(true);
  });
});

describe("an address of this machine is private, even a public one", () => {
  const own = ["127.0.0.1", "::1", "93.184.216.34", "2606:4700::1", "fe80::1"];

  it.each(["93.184.216.34", "::ffff:93.184.216.34", "2606:4700::1"])("%s", (address) => {
    expect(isAllowedAddress(address, allowing([], [], []))).toBe(true);
    expect(isAllowedAddress(address, allowing([], [], own))).toBe(false);
    expect(isAllowedAddress(address, allowing([address], [], own))).toBe(true);
    expect(isAllowedAddress(address, allowing(["us.example.com"], [], own), "us.example.com")).toBe(true);
    expect(isAllowedAddress(address, allowing([address], [address], own))).toBe(false);
  });

  it("are read again at each check", () => {
    const addresses: string[] = [];
    const rules = readAllowedTargets({ allowTargets: [], denyTargets: [] }, () => addresses);
    expect(isAllowedAddress("93.184.216.34", rules)).toBe(true);
    addresses.push("93.184.216.34");
    expect(isAllowedAddress("93.184.216.34", rules)).toBe(false);
  });

  it("of the system are addresses, including loopback", () => {
    const found = readOwnAddresses();
    expect(found).toContain("127.0.0.1");
    for (const address of found) expect(isIP(address.split("%")[0] ?? ""), address).toBeGreaterThan(0);
  });
});
