import { setTimeout as sleep } from "node:timers/promises";
import { type Effort, print, type Result, timedBeside } from "./harness.ts";
import type { Program, Runner } from "./programs.ts";
import { onStage, type Stage, type StagedDeployment, type StagedMerchant } from "./stage.ts";

/** A payment takes half a second, so a stretch has tens of them. */
const STRETCHES = 3;
/** An honest merchant's payment during an attack, compared with quiet times. */
export const attackBars = { max: 1.5 };

/** A service of all roles with default settings, and one hostile merchant. */
export type AttackedService = {
  readonly stage: Stage;
  readonly deployment: StagedDeployment;
  readonly service: Program;
  readonly attacker: StagedMerchant;
  /** A request of the attacker. @throws Error with the answer when it is refused */
  call<T>(method: string, path: string, body?: object): Promise<T>;
};

/** The attack, repeated in each round. */
export type Attack = {
  /** unmeasured preparation */
  prepare(): Promise<void>;
  /** runs while the honest merchant is measured for this many seconds */
  run(seconds: number): Promise<void>;
  /** resolves when no part of the attack is in progress */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Compares an honest merchant's payment time during the attack with the quiet stretches around it. The honest
 * client is a process of its own.
 */
export function compareUnderAttack(
  name: string,
  { env = {}, open }: { env?: Record<string, string>; open: (scene: AttackedService) => Promise<Attack> },
  effort: Effort,
): Promise<Result> {
  return onStage(async (stage) => {
    const { honest, scene } = await openScene(stage, name, env);
    const attack = await open(scene);
    const seconds = effort.seconds * STRETCHES;
    const measure = async (): Promise<number> => {
      const { done, elapsedMs } = await honest.run({ seconds });
      return elapsedMs / done;
    };
    await honest.run({ count: Math.min(effort.warmUp, 20) });
    const quiet = [await measure()];
    const attacked: number[] = [];
    const ratios: number[] = [];
    for (let round = 1; round <= effort.rounds; round += 1) {
      await attack.prepare();
      const [ours] = await Promise.all([measure(), attack.run(seconds)]);
      await attack.settle();
      const after = await measure();
      const beside = ((quiet.at(-1) ?? after) + after) / 2;
      attacked.push(ours);
      quiet.push(after);
      ratios.push(ours / beside);
      print(
        `  round ${round}: ${Math.round(ours)} ms a payment under attack, ${Math.round(beside)} ms in quiet`,
      );
    }
    await attack.stop();
    return timedBeside({ ratios, attacked, quiet }, { unit: "ms a payment", bars: attackBars });
  });
}

async function openScene(
  stage: Stage,
  name: string,
  env: Record<string, string>,
): Promise<{ honest: Runner; scene: AttackedService }> {
  const deployment = await stage.open(name);
  const [owner, attacker] = [await deployment.merchant(), await deployment.merchant()];
  const service = await deployment.serve("all", env);
  const baseUrl = `http://127.0.0.1:${service.port}`;
  const honest = await stage.child("honest-merchant", {
    BENCH_BASE_URL: baseUrl,
    BENCH_API_KEY: owner.apiKey,
    TRON_NODE_URLS: stage.devchain.url,
  });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { "x-api-key": attacker.apiKey, ...(body && { "content-type": "application/json" }) };
    const text = body && { body: JSON.stringify(body) };
    const answer = await fetch(baseUrl + path, { method, headers, ...text });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  };
  return { honest, scene: { stage, deployment, service, attacker, call } };
}

/** Waits until none of the attacker's deliveries is in one of these states. */
export async function awaitNone(scene: AttackedService, statuses: readonly string[]): Promise<void> {
  while ((await countDeliveries(scene, statuses)) > 0) await sleep(500);
}

export async function countDeliveries(
  { deployment, attacker }: AttackedService,
  statuses: readonly string[],
): Promise<number> {
  const { rows } = await deployment.db.query(
    "select count(*)::int as count from webhook_deliveries where merchant_id = $1 and status = any($2)",
    [attacker.id, statuses],
  );
  return rows[0].count;
}
