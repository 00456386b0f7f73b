import { contractModel } from "./contract-model.ts";
import { goOperations, goTypes } from "./go-source.ts";
import { phpContract, phpOperations } from "./php-source.ts";
import { pythonOperations, pythonTypes } from "./python-source.ts";

type Json = { readonly [key: string]: unknown };

/** The generated files of every client, by their paths in the repository. */
export function clientSources(document: Json): Record<string, string> {
  const contract = contractModel(document);
  const events = exampleEvents(document);
  return {
    "clients/python/src/daric/_types.py": pythonTypes(contract),
    "clients/python/src/daric/_operations.py": pythonOperations(contract),
    "clients/python/src/daric/events.json": events,
    "clients/php/src/Contract.php": phpContract(contract),
    "clients/php/src/Operations.php": phpOperations(contract),
    "clients/php/src/Testing/events.json": events,
    "clients/go/types.go": goTypes(contract),
    "clients/go/operations.go": goOperations(contract),
    "clients/go/darictest/events.json": events,
  };
}

/** One example of each event, for the tests of receivers. */
function exampleEvents({ webhooks }: Json): string {
  const events = Object.entries(webhooks as Record<string, WebhookItem>).map(([name, { post }]) => {
    const [example] = Object.values(post.requestBody.content["application/json"].examples);
    return [name, { ...example?.value, event: name }];
  });
  return `${JSON.stringify(Object.fromEntries(events), undefined, 2)}\n`;
}

type WebhookItem = {
  readonly post: {
    readonly requestBody: {
      readonly content: {
        readonly "application/json": {
          readonly examples: Readonly<Record<string, { readonly value: Json }>>;
        };
      };
    };
  };
};
