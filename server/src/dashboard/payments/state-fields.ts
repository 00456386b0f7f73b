import { z } from "zod";
import {
  chargeActions,
  chargeStateOf,
  chargeStates,
  possibleActions,
  type StateFacts,
  stateWords,
} from "../../domain/charge-state.ts";

export const stateField = z.enum(stateWords).meta({ description: "The state of the payment in one word." });

export const actionsField = z.array(z.enum(chargeActions)).meta({
  description: "The operations that the service would now carry out for a person with the right.",
});

/** The word for the state of a charge. */
export function stateWordOf(charge: StateFacts): z.input<typeof stateField> {
  return chargeStates[chargeStateOf(charge)].shown;
}

/** Both fields of a charge in its family. */
export function stateAndActions(...charge: Required<Parameters<typeof possibleActions>>) {
  return { state: stateWordOf(charge[0]), actions: possibleActions(...charge) };
}
