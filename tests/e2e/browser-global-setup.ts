import { unpackBrowser } from "./browser.ts";

/** Unpacks Chromium before the tests, because tests that start together would each unpack it. */
export default function setup(): Promise<void> {
  return unpackBrowser();
}
