import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identifyProcess } from "./process-table.ts";

const MAX_TRIES = 5;

/**
 * Claims a home for this process, so that a second start does not stop the server of the first. The claim of a dead
 * process is taken over.
 * @throws Error naming the process that has the home.
 */
export async function claimHome(home: string): Promise<{ release(): Promise<void> }> {
  const file = join(home, "owner.pid");
  const self = identifyProcess(process.pid) ?? String(process.pid);
  for (let tryNumber = 1; tryNumber <= MAX_TRIES; tryNumber++) {
    try {
      await writeFile(file, self, { flag: "wx", mode: 0o600 });
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = await readFile(file, "utf8").catch(() => "");
    const pid = Number.parseInt(owner, 10);
    if (pid > 0 && identifyProcess(pid) === owner) {
      throw new Error(`${home} is in use by process ${pid}: stop it first, or choose another folder`);
    }
    await rm(file, { force: true });
  }
  throw new Error(`${home} is being started by other processes`);
}
