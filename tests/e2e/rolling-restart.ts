/** The results of requests made during other work. */
export type Inquiries = {
  readonly count: number;
  /** the ids of the orders that were created */
  readonly made: readonly string[];
  /** a status or an error for each request that failed */
  readonly failed: readonly string[];
};

const CALLERS = 4;

/** Creates orders and reads them again, four requests at a time, while `work` runs and until `requests` are made. */
export async function callDuring(
  { url, apiKey, requests }: { readonly url: string; readonly apiKey: string; readonly requests: number },
  work: () => Promise<void>,
): Promise<Inquiries> {
  const made: string[] = [];
  const failed: string[] = [];
  let count = 0;
  let isOver = false;

  async function ask(): Promise<void> {
    count += 1;
    const known = made[count % (2 * made.length)];
    const body = JSON.stringify({ amount: "2", orderRef: `during-${count}` });
    const create = { method: "POST", body, headers: { "content-type": "application/json" } };
    const { headers, ...rest } = known === undefined ? create : { headers: {} };
    const answer = await fetch(`${url}/v1/deposit-addresses${known === undefined ? "" : `/${known}`}`, {
      ...rest,
      headers: { ...headers, "x-api-key": apiKey },
    });
    const { data } = (await answer.json()) as { data: { id: string } };
    if (!answer.ok) failed.push(String(answer.status));
    else if (known === undefined) made.push(data.id);
  }

  async function callRepeatedly(): Promise<void> {
    while (!isOver || count < requests)
      await ask().catch((error) => failed.push(String(error.cause ?? error)));
  }

  const callers = Array.from({ length: CALLERS }, callRepeatedly);
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(callers);
  return { count, made, failed };
}
