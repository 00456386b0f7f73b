import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateJson } from "./home.ts";

/** `demo.json`, which exists exactly while the demo is ready. */
export type DemoFile = {
  /** Writes the file with the result of `content`. */
  publish(content: () => object): Promise<void>;
  /** Writes the file again after a pid has changed. Before `publish` and after `remove` it does nothing. */
  refresh(): Promise<void>;
  remove(): Promise<void>;
};

/** Removes the file of a killed demo, and returns the file of this one. */
export async function openDemoFile(home: string): Promise<DemoFile> {
  const path = join(home, "demo.json");
  let published: (() => object) | undefined;
  let writing: Promise<void> = rm(path, { force: true });
  await writing;

  function refresh(): Promise<void> {
    writing = writing.catch(() => {}).then(() => published && writePrivateJson(path, published()));
    return writing;
  }

  return {
    publish: (content) => {
      published = content;
      return refresh();
    },
    refresh,
    remove: async () => {
      published = undefined;
      await writing.catch(() => {});
      await rm(path, { force: true });
    },
  };
}
