import { expect, it } from "vitest";
import { findUnnamed } from "./server-user.ts";

const WHOLE = ["         0          0 4294967295", ""];
const CONTAINER = ["         0     100000      65536", ""];
const ROOT_ALONE = ["         0       1000          1", ""];

it("the server's uid lies inside both maps of this process", () => {
  expect(findUnnamed({ maps: [WHOLE, WHOLE], names: [] })).toBeGreaterThan(65_536);
  expect(findUnnamed({ maps: [CONTAINER, CONTAINER], names: [] })).toBe(65_533);
  expect(findUnnamed({ maps: [WHOLE, CONTAINER], names: [] })).toBe(65_533);
  expect(findUnnamed({ maps: [ROOT_ALONE, ROOT_ALONE], names: [] })).toBeUndefined();
  expect(findUnnamed({ maps: [[], []], names: [] })).toBeUndefined();
});

it("the server's uid belongs to no user or group", () => {
  const users = ["root:x:0:0:root:/root:/bin/bash", "builder:x:65533:100::/home/builder:/bin/sh", ""];
  const groups = ["builders:x:65532:", ""];
  expect(findUnnamed({ maps: [CONTAINER, CONTAINER], names: [users, groups] })).toBe(65_531);
});
