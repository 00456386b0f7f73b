import type { Settings } from "../api/account-operations.ts";
import { words } from "../words/words.ts";

/** The code for a shop's page: the script with its integrity, and a link that stays one without the script. */
export function embedSnippet({ url, integrity }: Settings["embed_script"], origin: string): string {
  const script = new URL(url, origin);
  const { onlyWebhook, pay } = words.account.embedding;
  return `<script src="${script}" integrity="${integrity}" crossorigin="anonymous" async></script>

<!-- ${onlyWebhook} -->
<a data-daric href="${new URL("c/TOKEN", script)}">${pay}</a>`;
}
