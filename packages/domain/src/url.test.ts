import { expect, it } from "vitest";
import { isUrl } from "./url.ts";

it("a URL with letters of Latin-1 is valid at every one of many calls", () => {
  const texts = ["https://bücher.example/", "https://shop.example/grüße"];
  let refused = 0;
  for (let times = 0; times < 20_000; times++) if (!texts.every(isUrl)) refused += 1;
  expect(refused).toBe(0);
  expect(isUrl("https://")).toBe(false);
});
