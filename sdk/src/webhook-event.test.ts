import {
  type ConfirmedDepositEventData as ConfirmedDepositData,
  type DepositEventData as DepositData,
  type OrderEventData as OrderData,
  type WebhookEventType,
  webhookEventTypes,
} from "@daric/server/domain/webhook-event";
import { expect, expectTypeOf, it } from "vitest";
import type {
  ConfirmedDepositEventData,
  DepositEventData,
  EventDataByName,
  OrderEventData,
  WebhookEvent,
} from "./webhook-event.ts";

/** Identifiers have brands inside, and lists are read-only. */
type OnTheWire<T> = T extends string
  ? T extends { readonly [key: symbol]: unknown }
    ? string
    : T
  : T extends readonly (infer Item)[]
    ? OnTheWire<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: OnTheWire<T[Key]> }
      : T;

it("the data of an event has the fields that the service writes, no more and no less", () => {
  expectTypeOf<OnTheWire<DepositData>>().toExtend<DepositEventData>();
  expectTypeOf<OnTheWire<ConfirmedDepositData>>().toExtend<ConfirmedDepositEventData>();
  expectTypeOf<OnTheWire<OrderData>>().toExtend<OrderEventData>();
  expectTypeOf<keyof DepositData>().toEqualTypeOf<keyof DepositEventData>();
  expectTypeOf<keyof OrderData>().toEqualTypeOf<keyof OrderEventData>();
});

it("every event that the service can send has a type, and its name tells which data it has", () => {
  type Sent = Exclude<WebhookEventType, `settlement.${string}`>;
  expectTypeOf<Sent>().toExtend<keyof EventDataByName>();
  expectTypeOf<Extract<WebhookEvent, { event: "order.paid" }>["data"]>().toEqualTypeOf<OrderEventData>();
  expect(webhookEventTypes).toContain("order.paid");
});
