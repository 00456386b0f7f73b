import { expect, it } from "vitest";
import { countDifferentNodes, repeatedHost } from "./different-nodes.ts";

it.each([
  [["https://a.example", "https://b.example"], undefined],
  [["https://a.example", "https://a.example"], "a.example"],
  [["http://a.example:8090", "https://A.example/key"], "a.example"],
  [["https://a.example", "https://b.example", "https://b.example.:443"], "b.example"],
  [["https://one:key@a.example", "https://other:key@a.example"], "a.example"],
  [["http://10.0.0.5:8090", "http://10.0.0.5:8190"], "10.0.0.5"],
  [["http://127.0.0.1:8090", "http://127.0.0.1:8190", "http://localhost:8290"], undefined],
  [["http://127.0.0.1:8090", "http://localhost:8090"], "127.0.0.1:8090"],
  [["http://node.localhost", "http://[::1]:80"], "127.0.0.1:80"],
])("the repeated host of %j is %s", (urls, host) => {
  expect(repeatedHost(urls)).toBe(host);
  expect(countDifferentNodes(urls) < urls.length).toBe(host !== undefined);
});
