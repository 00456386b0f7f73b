import { describe, expect, it } from "vitest";
import { readAllowedTargets } from "./allowed-targets.ts";
import { isAllowedAddress, parseTarget } from "./guard-url.ts";

/** The operator's lists, on a machine with these addresses. */
const allowing = (allowTargets: string[], denyTargets: string[] = [], own: string[] = []) =>
  readAllowedTargets({ allowTargets, denyTargets }, () => own);
const nothing = allowing([]);

/** Refused by their text alone, without a look-up. */
const hostile = [
  "http://127.0.0.1/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://foo.localhost/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://0x7f.1/",
  "http://127.1/",
  "http://127.0.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://①②⑦.⓪.⓪.①/",
  "http://127。0。0。1/",
  "http://%31%32%37.0.0.1/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:ffff:0a00:0001]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[64:ff9b:1::a00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[2001:0:53aa:64c:0:0:80ff:fffe]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[fe80::1%25eth0]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[2001:db8::1]/",
  "http://[3fff::1]/",
  "http://[5f00::1]/",
  "http://[100::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://0251.0376.0251.0376/",
  "http://169.254.170.2/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://metadata.google.internal/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.0.1/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://192.88.99.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://192.0.2.1/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://user:pw@127.0.0.1/",
  "http://example.com@127.0.0.1/",
  "https://user:pw@example.com/",
  "https://user@example.com/",
  "http://127.0.0.1:80\\@example.com/",
  "http:\\\\127.0.0.1\\",
  "http:127.0.0.1/",
  "http:///127.0.0.1/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:5432/_x",
  "unix:///var/run/docker.sock",
  "javascript:alert(1)",
  "data:text/plain,hi",
  "http://intranet/",
  "http://db.internal/",
  "http://printer.local/",
  "http://kubernetes.default.svc/",
  "http://router.home.arpa/",
  "http://hidden.onion/",
  "http://localhost../",
  "http://example..com/",
  "http://./",
  "http://256.256.256.256/",
  "http://1.2.3.4.5/",
  "http://0x100000000/",
  "https://",
  "",
  "example.com/hook",
  `https://example.com/${"a".repeat(2_029)}`,
  // 2,020 characters as written, more than 2,048 once the parser has escaped them
  `https://example.com/${"é".repeat(2_000)}`,
];

describe("refused as a target", () => {
  it.each(hostile)("%s", (url) => {
    expect(parseTarget(url, nothing)).toBeUndefined();
  });
});

/** Never dialled here: the resolved addresses decide that. */
const harmless: [url: string, host: string][] = [
  ["https://example.com/hook", "example.com"],
  ["https://EXAMPLE.com./hook", "example.com"],
  ["https://8.8.8.8/", "8.8.8.8"],
  ["http://[2606:4700:4700::1111]/", "2606:4700:4700::1111"],
  ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
  ["https://bücher.example/", "xn--bcher-kva.example"],
  ["https://example.com:8443/a?b=c#frag", "example.com"],
  ["https://172.32.0.1/", "172.32.0.1"],
  ["https://100.128.0.1/", "100.128.0.1"],
  ["http://127.0.0.1\t.example.com/", "127.0.0.1.example.com"],
  // Any port is allowed in every environment (product, "Webhooks"), even one of another protocol.
  ["https://example.com:22/", "example.com"],
  ["http://example.com:25/", "example.com"],
  ["http://localhost.example.com/", "localhost.example.com"],
  ["http://my.locale/", "my.locale"],
  [`https://example.com/${"a".repeat(2_028)}`, "example.com"],
];

describe("accepted as a target", () => {
  it.each(harmless)("%s", (url, host) => {
    expect(parseTarget(url, nothing)).toMatchObject({ host, href: new URL(url).href });
  });
});

it("the operator allows private targets by range, by address and by exact name", () => {
  const allowed = allowing(["127.0.0.0/8", "fd00::/8", "10.1.2.3", "LocalHost", "db.internal.", "queue"]);
  for (const url of [
    "http://127.0.0.1:9/",
    "http://127.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00::1]/",
    "http://10.1.2.3/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://db.internal/",
    "http://queue/",
  ])
    expect(parseTarget(url, allowed), url).toBeDefined();
  for (const url of [
    "http://10.1.2.4/",
    "http://[::1]/",
    "http://foo.localhost/",
    "http://other.internal/",
    "http://169.254.169.254/",
  ])
    expect(parseTarget(url, allowed), url).toBeUndefined();
});

it("the operator denies targets by range, by address and by exact name, and this machine's addresses are denied", () => {
  const rules = allowing(["127.0.0.0/8", "queue"], ["127.0.0.9", "example.com", "queue"], ["93.184.216.34"]);
  for (const url of [
    "http://127.0.0.9/",
    "https://EXAMPLE.com./",
    "http://queue/",
    "http://93.184.216.34/",
    "http://1572395042/",
  ])
    expect(parseTarget(url, rules), url).toBeUndefined();
  for (const url of ["http://127.0.0.8/", "https://hooks.example.com/", "http://93.184.216.35/"])
    expect(parseTarget(url, rules), url).toBeDefined();
});

it("an address is public or not, and a malformed text is not", () => {
  for (const text of ["", "example.com", "127.1", "0x7f.1", "fe80::1%eth0", "1.2.3", "1.2.3.4.5", "::ffff"])
    expect(isAllowedAddress(text, nothing), text).toBe(false);
  for (const text of ["1.1.1.1", "::ffff:1.1.1.1", "2606:4700::1", "2a00:1450:4001::1"])
    expect(isAllowedAddress(text, nothing), text).toBe(true);
});

it("the edges of every IPv4 range are on the right side", () => {
  const edges: [network: string, first: string, last: string, before: string | null, after: string | null][] =
    [
      ["0/8", "0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
      ["10/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
      ["100.64/10", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
      ["127/8", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
      ["169.254/16", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
      ["172.16/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
      ["192.0.0/24", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
      ["192.168/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
      ["198.18/15", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
      ["224/3", "224.0.0.0", "255.255.255.255", "223.255.255.255", null],
    ];
  for (const [network, first, last, before, after] of edges) {
    for (const inside of [first, last])
      expect(isAllowedAddress(inside, nothing), `${network} ${inside}`).toBe(false);
    for (const outside of [before, after])
      if (outside) expect(isAllowedAddress(outside, nothing), `${network} ${outside}`).toBe(true);
  }
});
