import { expect, it } from "vitest";
import { faultOfProxy, proxyMatcher } from "./trusted-proxy.ts";

it.each([
  ["proxy.internal", /^is neither/],
  ["10.0.0.1;10.0.0.2", /^is more than one entry/],
  ["10.0.0.1:443", /^is neither/],
  ["http://10.0.0.1", /^is neither/],
  ["127.1", /^is neither/],
  ["10", /^is neither/],
  ["0x7f.0.0.1", /^is neither/],
  ["fe80::1%eth0", /^is neither/],
  ["10.0.0.0/8/8", /^is neither/],
  ["loopback", /^is neither/],
  ["10.0.0.0/33", /^does not end in a number from \/1 to \/32$/],
  ["10.0.0.0/255.0.0.0", /^does not end in a number/],
  ["10.0.0.0/", /^does not end in a number/],
  ["fd00::/129", /^does not end in a number from \/1 to \/128$/],
  ["0.0.0.0/0", /^is every address/],
  ["::/0", /^is every address/],
  ["::ffff:10.0.0.0/104", /^maps IPv4/],
  ["0.0.0.0", /^is no source address$/],
  ["::", /^is no source address/],
  ["224.0.0.0/4", /^is no source address/],
  ["ff02::1", /^is no source address/],
])("a trusted proxy %s would match no address, or all, and is refused", (entry, fault) => {
  expect(faultOfProxy(entry)).toMatch(fault);
});

it.each(["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8", "::ffff:10.0.0.1", "0.0.0.0/1", "192.168.1.7/32"])(
  "a trusted proxy %s is accepted",
  (entry) => {
    expect(faultOfProxy(entry)).toBeUndefined();
  },
);

it("an address matches by its own entry or range, in every spelling", () => {
  const isProxy = proxyMatcher(["10.0.0.0/8", "192.168.1.7", "fd00::/8", "::ffff:172.16.0.1"]);
  for (const address of ["10.255.0.1", "::ffff:10.0.0.1", "192.168.1.7", "fd12::1", "172.16.0.1"])
    expect(isProxy(address), address).toBe(true);
  for (const address of ["11.0.0.1", "192.168.1.8", "fe80::1", "172.16.0.2", ""])
    expect(isProxy(address), address).toBe(false);
  expect(proxyMatcher([])("127.0.0.1")).toBe(false);
});
