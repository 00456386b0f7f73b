import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { faultOfFont } from "./fonts.ts";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

it.each([
  [file("test/NotoSansSC-subset.ttf"), undefined],
  ["/nowhere/font.ttf", "names a file that cannot be read: ENOENT"],
  [file("src"), "names a file that cannot be read: EISDIR"],
  [file("package.json"), "names a file that is no font"],
  [file("fonts/NotoSans-Regular.ttf"), "names a font without Chinese letters"],
])("a font for Chinese papers in %j has the fault %j", (path, fault) => {
  expect(faultOfFont(path)).toBe(fault);
});
