import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateJson } from "./home.ts";

/** `demo.json`: there while the demo is ready, and only then. */
export type DemoFile = {
  /** Writes what `content` answers. */
  publish(content: () => object): Promise<void>;
  /** Writes it anew, because a pid has changed; does nothing before `publish` and after `remove`. */
  refresh(): Promise<void>;
  remove(): Promise<void>;
};

/** Removes the file that a killed demo has left, and answers the file of this one. */
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
