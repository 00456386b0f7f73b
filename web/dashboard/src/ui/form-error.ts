import { createContext, useContext } from "react";
import { faultOf } from "../api/refusal.ts";
import { ruleText } from "../format/field-rule.ts";

/** Why the service refused what the form around sent. */
export const FormError = createContext<unknown>(undefined);

/** The rule that the field of this name breaks, in the language of the pages; undefined if it breaks none. */
export function useFault(name: string | undefined): string | undefined {
  const error = useContext(FormError);
  const fault = name === undefined ? undefined : faultOf(error, name);
  return fault && ruleText(fault);
}
