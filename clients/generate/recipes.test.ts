import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/clients.md", ROOT), "utf8");

it.each([
  ["python", "clients/python/recipes/", /\.py$/],
  ["php", "clients/php/recipes/", /\.php$/],
  ["go", "clients/go/recipes/", /(?<!_test)\.go$/],
])("docs/clients.md shows every recipe of %s exactly, and no other code", (language, folder, isRecipe) => {
  const files = readdirSync(new URL(folder, ROOT), { recursive: true }).map(String);
  const recipes = files.filter((name) => isRecipe.test(name) && !name.includes("__pycache__"));
  const written = recipes.map((name) => readFileSync(new URL(`${folder}${name}`, ROOT), "utf8"));
  const shown = [...page.matchAll(/```(\w+)[^\n]*\n(.*?)```/gs)].filter(([, name]) => name === language);
  expect(shown.map(([, , code]) => code).sort()).toEqual(written.sort());
});
