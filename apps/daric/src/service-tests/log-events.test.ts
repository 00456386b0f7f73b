import { readFileSync } from "node:fs";
import { logEvents } from "@daric/runtime/log-events";
import { serviceSources } from "@daric/testing/service-sources";
import { expect, it } from "vitest";

const SIGNER = new URL("../../../signer/src/serve.ts", import.meta.url);
const MANUAL = new URL("../../../../docs/operations.md", import.meta.url);

const manual = readFileSync(MANUAL, "utf8");
const headings = [...manual.matchAll(/^##+ (.*)$/gm)].map(([, heading = ""]) => heading);
const sections = headings.filter((heading) => /^[a-z]+(?:_[a-z]+)+$/.test(heading));
const signerEvents = [...readFileSync(SIGNER, "utf8").matchAll(/event: "(\w+)"/g)].map(
  ([, name = ""]) => name,
);
const sources = serviceSources(/(?<!\.test|log-events)\.ts$/).map(({ text }) => text);

it("each log event has one section in docs/operations.md, and each such section is an event", () => {
  expect(new Set(logEvents).size).toBe(logEvents.length);
  expect(sections.toSorted()).toEqual([...new Set([...logEvents, ...signerEvents])].toSorted());
});

it("each log event is used by the service", () => {
  expect(logEvents.filter((name) => !sources.some((source) => source.includes(`"${name}"`)))).toEqual([]);
});

it("each section that the service points to is in docs/operations.md", () => {
  const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
  const named = sources.flatMap((source) => [...source.matchAll(/docs\/operations\.md#([\w-]+)/g)]);
  expect(named.map(([, anchor]) => anchor).filter((anchor) => !anchors.includes(anchor ?? ""))).toEqual([]);
});
