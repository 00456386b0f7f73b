import { useRead } from "../../api/use-call.ts";

/** The name of a merchant by its id. */
export function MerchantName({ id }: { readonly id: string }) {
  const { data = [] } = useRead("GET /dashboard/v1/operator/merchants", {});
  return data.find((merchant) => merchant.id === id)?.name ?? id;
}
