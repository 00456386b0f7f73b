import type { Row } from "@daric/testing/stack";
import type { ShopDaric } from "./daric.ts";

const PASSWORD = "correct horse battery staple";

/** A person that owns the merchant, in the dashboard of Daric. Each call begins with a sign-in, which is a fresh proof. */
export type ShopOwner = {
  readonly email: string;
  readonly password: string;
  /** Sends what a page of the dashboard sends, and returns `data`. @throws Error with the body of a failed call */
  post<T = Row>(path: string, body?: object): Promise<T>;
  /** a new code of *Connect a shop* */
  shopCode(): Promise<string>;
};

export async function openOwner({ baseUrl, merchantId, command }: ShopDaric): Promise<ShopOwner> {
  const email = "owner@shop.example";
  const place = ["--merchant", merchantId, "--role", "owner"];
  const { link } = await command("people", "invite", "--email", email, ...place);
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
      body: JSON.stringify(body),
    });
  const accepted = await send("/dashboard/v1/links/accept", {
    token: String(link).split("#")[1],
    name: "Grace",
    password: PASSWORD,
  });
  if (!accepted.ok) throw new Error(`the owner's link: ${accepted.status} ${await accepted.text()}`);
  let session: Record<string, string> | undefined = await sessionOf(accepted);
  const post = async <T>(path: string, body: object = {}): Promise<T> => {
    session ??= await sessionOf(await send("/dashboard/v1/sign-in", { email, password: PASSWORD }));
    const answer = await send(path, body, { ...session, "x-daric-merchant": merchantId });
    session = undefined;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data as T;
  };
  return {
    email,
    password: PASSWORD,
    post,
    shopCode: async () => (await post<{ code: string }>("/dashboard/v1/shop-codes")).code,
  };
}

/** The headers of the session that this answer opened. */
async function sessionOf(answer: Response): Promise<Record<string, string>> {
  const { data } = (await answer.json()) as Row;
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { cookie, "x-csrf-token": data.session?.csrf_token ?? data.csrf_token };
}
