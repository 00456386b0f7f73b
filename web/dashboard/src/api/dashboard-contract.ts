// Written from the routes below /dashboard/v1 by `npm run generate`.

/** A deposit address as it was made. */
export type CreatedDepositAddress = {
  address: string;
  amount_due: string | null;
  cancel_url: string | null;
  chain: "tron";
  checkout_token: string;
  checkout_url: string | null;
  currency: "USDT" | "TRX";
  customer_ref: string | null;
  expected_amount: string | null;
  expires_at: string | null;
  fee_mode: "merchant" | "client";
  fiat_amount: string | null;
  fiat_currency: string | null;
  id: string;
  metadata: Record<string, string> | null;
  order_ref: string | null;
  pay_amount: string | null;
  quote_expires_at: string | null;
  quote_rate: string | null;
  quote_source: string | null;
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  success_url: string | null;
};

/** A refusal. `details` names every invalid field, and where the rule has a stable name, that name with its limits. */
export type PersonError = {
  correlationId: string;
  error: {
    code:
      | "EXPECTED_AMOUNT_REQUIRED"
      | "USD_AMOUNT_REQUIRED"
      | "RATE_UNAVAILABLE"
      | "MAX_ACTIVE_ADDRESSES"
      | "SETTLEMENT_ACCOUNT_NOT_FOUND"
      | "NO_SETTLEMENT_ACCOUNT"
      | "INVALID_WEBHOOK_URL"
      | "INVALID_EVENT_TYPE"
      | "INVALID_JSON"
      | "UNAUTHORIZED"
      | "WRONG_ENVIRONMENT"
      | "INSUFFICIENT_SCOPE"
      | "NOT_FOUND"
      | "METHOD_NOT_ALLOWED"
      | "ORDER_ALREADY_PAID"
      | "PAYMENT_IN_PROGRESS"
      | "NOTHING_RECEIVED"
      | "ORDER_NOT_EXPIRED"
      | "ORDER_CLOSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "LINK_CLOSED"
      | "REFUND_CLOSED"
      | "REFUND_REF_TAKEN"
      | "REFUND_EXCEEDS_RECEIVED"
      | "EXPORT_TOO_LARGE"
      | "LINK_SOLD_OUT"
      | "VALIDATION_ERROR"
      | "FIAT_AMOUNT_REQUIRED"
      | "NOT_FIAT_PRICED"
      | "SETTLEMENT_ACCOUNT_DISABLED"
      | "TOO_MANY_ENDPOINTS"
      | "CAP_REACHED"
      | "NOT_RESENDABLE"
      | "SIGN_IN_FAILED"
      | "CODE_REQUIRED"
      | "WRONG_CODE"
      | "SESSION_ENDED"
      | "CSRF_REFUSED"
      | "REAUTHENTICATION_REQUIRED"
      | "SECOND_FACTOR_REQUIRED"
      | "MERCHANT_SUSPENDED"
      | "WALLET_NOT_CONFIRMED"
      | "CHANGED_MEANWHILE"
      | "LINK_NOT_VALID"
      | "SHOP_CODE_NOT_VALID"
      | "LAST_OWNER"
      | "RATE_LIMITED"
      | "INTERNAL_ERROR"
      | "SERVICE_UNAVAILABLE";
    details?: {
      message: string;
      path: string;
      rule?: {
        limits: string[];
        name:
          | "required"
          | "invalid"
          | "reason"
          | "length"
          | "maxLength"
          | "minLength"
          | "distinct"
          | "common"
          | "email"
          | "url"
          | "httpsUrl"
          | "origins"
          | "webhookTarget"
          | "colour"
          | "duration"
          | "durationFrom"
          | "durationTo"
          | "percentage"
          | "wholeNumber"
          | "atLeast"
          | "atMost"
          | "amount"
          | "decimals"
          | "address"
          | "atLeastOne"
          | "maxItems"
          | "picture"
          | "pictureSize"
          | "pictureSide"
          | "member"
          | "passkey"
          | "future"
          | "bounds"
          | "withinBounds"
          | "openDays"
          | "walletKeys";
      };
    }[];
    /** The explanation of the code: an absolute URL if the service has a public base URL, else a path. */
    docUrl: string;
  };
  message: string;
  success: false;
};

/** Money that a merchant promises back to a payer. */
export type Refund = {
  address: string | null;
  amount: string;
  canceled_at: string | null;
  claim_expires_at: string;
  claim_url: string | null;
  completed_at: string | null;
  currency: "USDT" | "TRX";
  default_address: string | null;
  deposit_address_id: string;
  fiat_amount: string | null;
  id: string;
  needs_confirmation: "address" | "paid_money" | "other_address" | "order_changed" | null;
  order_ref: string | null;
  paid_amount: string | null;
  pay_until: string | null;
  ready_at: string | null;
  reason: string | null;
  refund_ref: string | null;
  requested_at: string;
  sent_at: string | null;
  status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
  tx_hash: string | null;
};

/** The person who is signed in, with the merchants and rights. */
export type Session = {
  csrf_token: string;
  environment: "live" | "test";
  expires_at: string;
  memberships: {
    merchant_id: string;
    merchant_name: string;
    role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
    scopes: string[];
  }[];
  /** The network of the chain, for links to a block explorer. */
  network: string;
  person: {
    email: string;
    has_totp: boolean;
    id: string;
    is_operator: boolean;
    name: string;
    passkeys: number;
    recovery_codes_left: number;
  };
  reauthenticated_at: string;
  reauthenticated_until: string;
  second_factor_missing: boolean;
};

/** The input and output of each operation of the contract, by its method and path. */
export type DashboardOperations = {
  /** List what people changed. Newest first, made from `from` on and before `to`. `after` is the id of an entry: the list begins with the next one. Without the right `audit:read` it has the acts on money alone, and `address` is null. The role needs the right `account:read`. */
  "GET /dashboard/v1/audit": {
    path: undefined;
    query: {
      from?: string | undefined;
      to?: string | undefined;
      after?: string | undefined;
      limit?: string | undefined;
    };
    body: undefined;
    answer: {
      action: string;
      /** `person` and an id, `shop` and its address, or the operator's name at the command line. */
      actor: string;
      address: string | null;
      after: Record<string, unknown> | null;
      at: string;
      before: Record<string, unknown> | null;
      id: string;
      reason: string;
      /** A kind and an id. */
      subject: string;
    }[];
  };
  /** See what a delivery sent and what was answered. The exact bytes of the body, the same in every attempt. Of each attempt its URL, all headers with the signatures, and the headers of the answer. The role needs the right `bodies:read`. */
  "GET /dashboard/v1/deliveries/{id}/sent": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      attempts: {
        headers: Record<string, string>;
        number: number;
        /** Lines `name: value`, 1 kB at most, without cookies. */
        response_headers: string | null;
        /** Null where nothing was sent. */
        url: string | null;
      }[];
      /** The bytes as UTF-8; null once they are not kept any more. */
      body: string | null;
      /** Where the next attempt goes. */
      url: string;
    };
  };
  /** See the figures of the last 30 days. Volume is confirmed money by the day of its confirmation, orders by the day that they were made on. Days are those of the merchant's time zone. The role needs the right `charges:read`. */
  "GET /dashboard/v1/home": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      abandoned: number;
      as_of: string;
      attention: number;
      days: {
        date: string;
        orders_created: number;
        orders_paid: number;
        volume: {
          TRX: string;
          USDT: string;
        };
      }[];
      /** Whether the service has a mail server. */
      mail_configured: boolean;
      month: {
        orders_created: number;
        orders_paid: number;
        volume: {
          TRX: string;
          USDT: string;
        };
      };
      open: number;
      seconds_to_confirm: number | null;
      seconds_to_pay: number | null;
      today: {
        orders_created: number;
        orders_paid: number;
        volume: {
          TRX: string;
          USDT: string;
        };
      };
      week: {
        orders_created: number;
        orders_paid: number;
        volume: {
          TRX: string;
          USDT: string;
        };
      };
    };
  };
  /** List the payments that need a decision. Newest first, at most 500, of the newest 5,000 deposits. A decision takes a payment out until another deposit comes. The role needs the right `charges:read`. */
  "GET /dashboard/v1/inbox": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      /** The operations that the service would now carry out for a person with the right. */
      actions: ("accept" | "rest" | "extend" | "archive")[];
      amount_due: string | null;
      amount_received: string;
      at: string;
      created_at: string;
      /** The credited money of the order and its rests, which has no dust. */
      credited_amount: string;
      currency: "USDT" | "TRX";
      customer_ref: string | null;
      expected_amount: string | null;
      id: string;
      kind: "order" | "receive" | "open";
      label: string | null;
      order_ref: string | null;
      /** The amount due of the order; null where any amount will do. */
      price_amount: string | null;
      reasons: ("stuck" | "unmatched" | "underpaid" | "late" | "overpaid" | "oversold")[];
      /** The refunds that the reasons suggest: of the other coin, and of what is too much or else all that came. */
      refunds: {
        amount: string;
        currency: "USDT" | "TRX";
      }[];
      /** The state of the payment in one word. */
      state:
        | "waiting"
        | "lastBlocks"
        | "seen"
        | "confirming"
        | "paid"
        | "overpaid"
        | "accepted"
        | "underpaid"
        | "tooLate"
        | "expired"
        | "closed"
        | "open"
        | "receiving"
        | "received";
      status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
      /** Confirmed money in another currency than was asked for, which no sum counts; null without any. */
      unmatched_amount: string | null;
      unmatched_currency: "USDT" | "TRX" | null;
    }[];
  };
  /** List the refunds that need a person. Newest first, at most 200. A decision about the payment takes a proposal out, and a refund that was paid after it was canceled. The role needs the right `refunds:read`. */
  "GET /dashboard/v1/inbox/refunds": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      amount: string;
      at: string;
      currency: "USDT" | "TRX";
      deposit_address_id: string;
      id: string;
      needs_confirmation: "address" | "paid_money" | "other_address" | "order_changed" | null;
      order_ref: string | null;
      paid_amount: string | null;
      status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
      task: "proposal" | "paid_canceled" | "confirm" | "pay" | "ask_again";
    }[];
  };
  /** Decide about a payment, and say why. `accept`, `extend` (by `seconds`) and `archive` do what they do under `/v1`; `dismiss` only takes it out of the inbox. The role needs the right `charges:write`. */
  "POST /dashboard/v1/inbox/{id}/decide": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      decision: "accept" | "extend" | "archive" | "dismiss";
      note: string;
      seconds?: number | undefined;
    };
    answer: {
      by: string;
      created_at: string;
      decision: "accept" | "extend" | "archive" | "dismiss" | null;
      id: string;
      text: string;
    };
  };
  /** List the open invitations of a merchant */
  "GET /dashboard/v1/invitations": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      merchant_id: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    }[];
  };
  /** Invite a person. The answer has the link, once. A newer invitation of the same address ends this one. The role needs the right `people:write`. */
  "POST /dashboard/v1/invitations": {
    path: undefined;
    query: undefined;
    body: {
      email: string;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
    };
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      /** Whether the mail server of the service took it for its person. */
      is_mailed: boolean;
      /** The link to send. No other answer has it. Null where it was mailed: its person alone has it. */
      link: string | null;
      merchant_id: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    };
  };
  /** Withdraw an invitation */
  "DELETE /dashboard/v1/invitations/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      merchant_id: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    };
  };
  /** List API keys. Live ones first, the newest first, at most 1,000; never the keys themselves. The role needs the right `account:read`. */
  "GET /dashboard/v1/keys": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      expires_at: string | null;
      id: string;
      last_used_at: string | null;
      name: string | null;
      /** The public part, by which a leaked key is found. */
      prefix: string;
      revoked_at: string | null;
      scopes: (
        | "charges:read"
        | "charges:write"
        | "deposits:read"
        | "webhooks:read"
        | "webhooks:write"
        | "settlements:read"
        | "refunds:read"
        | "refunds:write"
        | "refunds:address"
      )[];
    }[];
  };
  /** Create an API key. The answer has the key, once. It gets no scope that your role lacks. The role needs the right `keys:write`. */
  "POST /dashboard/v1/keys": {
    path: undefined;
    query: undefined;
    body: {
      expiresIn?: string | undefined;
      name?: string | undefined;
      scopes?:
        | (
            | "charges:read"
            | "charges:write"
            | "deposits:read"
            | "webhooks:read"
            | "webhooks:write"
            | "settlements:read"
            | "refunds:read"
            | "refunds:write"
            | "refunds:address"
          )[]
        | undefined;
    };
    answer: {
      created_at: string;
      expires_at: string | null;
      id: string;
      /** The whole key. No other answer has it. */
      key: string;
      last_used_at: string | null;
      name: string | null;
      /** The public part, by which a leaked key is found. */
      prefix: string;
      revoked_at: string | null;
      scopes: (
        | "charges:read"
        | "charges:write"
        | "deposits:read"
        | "webhooks:read"
        | "webhooks:write"
        | "settlements:read"
        | "refunds:read"
        | "refunds:write"
        | "refunds:address"
      )[];
    };
  };
  /** End an API key. Every process refuses it within 5 s. The role needs the right `keys:write`. */
  "POST /dashboard/v1/keys/{id}/revoke": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      expires_at: string | null;
      id: string;
      last_used_at: string | null;
      name: string | null;
      /** The public part, by which a leaked key is found. */
      prefix: string;
      revoked_at: string | null;
      scopes: (
        | "charges:read"
        | "charges:write"
        | "deposits:read"
        | "webhooks:read"
        | "webhooks:write"
        | "settlements:read"
        | "refunds:read"
        | "refunds:write"
        | "refunds:address"
      )[];
    };
  };
  /** Make a key like this one, which then works for the overlap only */
  "POST /dashboard/v1/keys/{id}/rotate": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      overlap?: string | undefined;
    };
    answer: {
      created_at: string;
      expires_at: string | null;
      id: string;
      /** The whole key. No other answer has it. */
      key: string;
      last_used_at: string | null;
      name: string | null;
      /** The public part, by which a leaked key is found. */
      prefix: string;
      previous_expires_at: string | null;
      previous_id: string;
      revoked_at: string | null;
      scopes: (
        | "charges:read"
        | "charges:write"
        | "deposits:read"
        | "webhooks:read"
        | "webhooks:write"
        | "settlements:read"
        | "refunds:read"
        | "refunds:write"
        | "refunds:address"
      )[];
    };
  };
  /** Accept an invitation, or set a new password. A new person sends name and password and is signed in. A person with an account must be signed in. A reset takes a password, ends all sessions and signs no one in. */
  "POST /dashboard/v1/links/accept": {
    path: undefined;
    query: undefined;
    body: {
      name?: string | undefined;
      password?: string | undefined;
      token: string;
    };
    answer: {
      session: Session | null;
    };
  };
  /** See what an invitation or a reset is for */
  "POST /dashboard/v1/links/look-up": {
    path: undefined;
    query: undefined;
    body: {
      token: string;
    };
    answer: {
      email: string;
      expires_at: string;
      has_account: boolean;
      is_operator: boolean;
      kind: "invitation" | "reset";
      merchant_name: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    };
  };
  /** Change your name */
  "PATCH /dashboard/v1/me": {
    path: undefined;
    query: undefined;
    body: {
      name: string;
    };
    answer: Session;
  };
  /** List your passkeys */
  "GET /dashboard/v1/me/passkeys": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      id: string;
      last_used_at: string | null;
      name: string;
    }[];
  };
  /** Add a passkey */
  "POST /dashboard/v1/me/passkeys": {
    path: undefined;
    query: undefined;
    body: {
      name: string;
      response: {
        clientExtensionResults?: Record<string, unknown> | undefined;
        id: string;
        rawId: string;
        response: {
          attestationObject: string;
          clientDataJSON: string;
          transports?: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[] | undefined;
        };
        type: "public-key";
      };
    };
    answer: {
      created_at: string;
      id: string;
      last_used_at: string | null;
      name: string;
    };
  };
  /** Ask for the options of a new passkey */
  "POST /dashboard/v1/me/passkeys/options": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      options: {
        challenge: string;
      };
    };
  };
  /** Remove a passkey */
  "DELETE /dashboard/v1/me/passkeys/{passkeyId}": {
    path: {
      passkeyId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      id: string;
      last_used_at: string | null;
      name: string;
    };
  };
  /** Change your password. Your other sessions end. */
  "POST /dashboard/v1/me/password": {
    path: undefined;
    query: undefined;
    body: {
      code?: string | undefined;
      newPassword: string;
      password: string;
    };
    answer: Session;
  };
  /** Make new recovery codes. They are shown once, and the old ones end. */
  "POST /dashboard/v1/me/recovery-codes": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      recovery_codes: string[];
    };
  };
  /** Make a secret for an authenticator app. Nothing is stored until a code proves that the app has it. `qr` is an SVG. */
  "POST /dashboard/v1/me/totp": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      qr: string;
      secret: string;
      uri: string;
    };
  };
  /** Remove the authenticator app */
  "DELETE /dashboard/v1/me/totp": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Session;
  };
  /** Set up the authenticator app by its first code. The recovery codes are shown once. Your other sessions end. */
  "POST /dashboard/v1/me/totp/confirm": {
    path: undefined;
    query: undefined;
    body: {
      code: string;
      secret: string;
    };
    answer: {
      recovery_codes: string[];
      session: Session;
    };
  };
  /** See which messages of a merchant you get, and where */
  "GET /dashboard/v1/notifications": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      channels: {
        code_expires_at: string | null;
        failure: string | null;
        /** `mail`, or the id of a chat. */
        id: string;
        kind: "mail" | "telegram" | "url";
        /** The address, the chat's title, or the host of the URL. */
        name: string | null;
        status: "active" | "waiting_for_code" | "waiting_for_confirmation" | "failing";
        /** The newest test message, and what became of it. */
        test: {
          created_at: string;
          failure: string | null;
          sent_at: string | null;
        } | null;
      }[];
      every_paid: boolean;
      /** Nothing was chosen yet: these are the defaults of the role. */
      is_default: boolean;
      kinds: {
        channels: string[];
        kind:
          | "paid"
          | "paid_late"
          | "underpaid"
          | "overpaid"
          | "other_coin"
          | "stuck"
          | "accepted"
          | "refund_requested"
          | "refund_ready"
          | "refund_completed"
          | "settlement_completed"
          | "settlement_failed"
          | "endpoint_failing"
          | "endpoint_disabled"
          | "daily_summary"
          | "monthly_statement";
      }[];
      mail_configured: boolean;
      quiet_from: string | null;
      quiet_to: string | null;
      telegram_configured: boolean;
      time_zone: string;
    };
  };
  /** Choose which messages you get. The body has every choice. A kind that is left out, or has no channel, is not sent. The role needs the right `account:read`. */
  "PUT /dashboard/v1/notifications": {
    path: undefined;
    query: undefined;
    body: {
      everyPaid: boolean;
      kinds: {
        channels: string[];
        kind:
          | "paid"
          | "paid_late"
          | "underpaid"
          | "overpaid"
          | "other_coin"
          | "stuck"
          | "accepted"
          | "refund_requested"
          | "refund_ready"
          | "refund_completed"
          | "settlement_completed"
          | "settlement_failed"
          | "endpoint_failing"
          | "endpoint_disabled"
          | "daily_summary"
          | "monthly_statement";
      }[];
      quietFrom: string | null;
      quietTo: string | null;
      timeZone: string;
    };
    answer: {
      channels: {
        code_expires_at: string | null;
        failure: string | null;
        /** `mail`, or the id of a chat. */
        id: string;
        kind: "mail" | "telegram" | "url";
        /** The address, the chat's title, or the host of the URL. */
        name: string | null;
        status: "active" | "waiting_for_code" | "waiting_for_confirmation" | "failing";
        /** The newest test message, and what became of it. */
        test: {
          created_at: string;
          failure: string | null;
          sent_at: string | null;
        } | null;
      }[];
      every_paid: boolean;
      /** Nothing was chosen yet: these are the defaults of the role. */
      is_default: boolean;
      kinds: {
        channels: string[];
        kind:
          | "paid"
          | "paid_late"
          | "underpaid"
          | "overpaid"
          | "other_coin"
          | "stuck"
          | "accepted"
          | "refund_requested"
          | "refund_ready"
          | "refund_completed"
          | "settlement_completed"
          | "settlement_failed"
          | "endpoint_failing"
          | "endpoint_disabled"
          | "daily_summary"
          | "monthly_statement";
      }[];
      mail_configured: boolean;
      quiet_from: string | null;
      quiet_to: string | null;
      telegram_configured: boolean;
      time_zone: string;
    };
  };
  /** Add a chat. `telegram`: the answer has a code, once, and the links that send it to the bot. It lives ten minutes and works once. `url`: the incoming webhook of Slack, Discord, Mattermost or another chat; no answer has it again. The role needs the right `account:read`. */
  "POST /dashboard/v1/notifications/channels": {
    path: undefined;
    query: undefined;
    body:
      | {
          kind: "telegram";
        }
      | {
          kind: "url";
          url: string;
        };
    answer: {
      code: string | null;
      code_expires_at: string | null;
      failure: string | null;
      /** Adds the bot to a group with the code; in this answer alone. */
      group_link: string | null;
      /** `mail`, or the id of a chat. */
      id: string;
      kind: "mail" | "telegram" | "url";
      /** Opens the bot with the code; in this answer alone. */
      link: string | null;
      /** The address, the chat's title, or the host of the URL. */
      name: string | null;
      status: "active" | "waiting_for_code" | "waiting_for_confirmation" | "failing";
      /** The newest test message, and what became of it. */
      test: {
        created_at: string;
        failure: string | null;
        sent_at: string | null;
      } | null;
    };
  };
  /** Remove a chat */
  "DELETE /dashboard/v1/notifications/channels/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      code_expires_at: string | null;
      failure: string | null;
      /** `mail`, or the id of a chat. */
      id: string;
      kind: "mail" | "telegram" | "url";
      /** The address, the chat's title, or the host of the URL. */
      name: string | null;
      status: "active" | "waiting_for_code" | "waiting_for_confirmation" | "failing";
      /** The newest test message, and what became of it. */
      test: {
        created_at: string;
        failure: string | null;
        sent_at: string | null;
      } | null;
    };
  };
  /** Confirm the Telegram chat that used the code. No message goes to the chat before. The role needs the right `account:read`. */
  "POST /dashboard/v1/notifications/channels/{id}/confirm": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      code_expires_at: string | null;
      failure: string | null;
      /** `mail`, or the id of a chat. */
      id: string;
      kind: "mail" | "telegram" | "url";
      /** The address, the chat's title, or the host of the URL. */
      name: string | null;
      status: "active" | "waiting_for_code" | "waiting_for_confirmation" | "failing";
      /** The newest test message, and what became of it. */
      test: {
        created_at: string;
        failure: string | null;
        sent_at: string | null;
      } | null;
    };
  };
  /** Send a test message to a chat. It is sent within seconds; `test` of the chat says what became of it. At most 6 a minute for one chat. The role needs the right `account:read`. */
  "POST /dashboard/v1/notifications/channels/{id}/test": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Record<string, unknown>;
  };
  /** List the alerts. Those whose condition holds now, and the last 50 that are over. The newest first. */
  "GET /dashboard/v1/operator/alerts": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      alert: string;
      ended_at: string | null;
      id: string;
      /** The path of what to do, in the documentation of this service. */
      runbook: string;
      severity: "critical" | "warning";
      since: string;
      /** `pending`: its condition holds, and not yet for as long as the alert needs. */
      state: "pending" | "open" | "over";
      summary: string;
    }[];
  };
  /** See forks, halts of the scan, and ranges that were read again. The last 20 of each, the newest first. */
  "GET /dashboard/v1/operator/chain": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      forks: {
        at: string;
        blocks: number;
        from_block: number;
        to_block: number;
      }[];
      halts: {
        block: number;
        ended_at: string | null;
        halted_at: string;
        /** The answer of each node. */
        nodes: string;
        our_block: string;
        resumed_at: string | null;
        their_block: string;
        went_on_from: number | null;
      }[];
      rescans: {
        blocks_added: number;
        blocks_differing: number;
        blocks_read: number;
        created_at: string;
        deposits_added: number;
        /** How the nodes differ from our first blocks of these. */
        differing: string[];
        finished_at: string | null;
        from_block: number;
        id: number;
        nodes: {
          blocks_not_shown: number;
          blocks_shown: number;
          node: string;
          reason: string | null;
        }[];
        /** Why it waits or was refused. */
        note: string | null;
        status: "WAITING" | "RUNNING" | "DONE" | "REFUSED";
        to_block: number;
      }[];
    };
  };
  /** List the webhook endpoints whose deliveries wait longest */
  "GET /dashboard/v1/operator/endpoints": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      due_at: string;
      endpoint_id: string;
      last_error:
        | "dns_error"
        | "blocked_address"
        | "connect_refused"
        | "connect_timeout"
        | "connect_error"
        | "tls_error"
        | "timeout"
        | "reset"
        | "invalid_response"
        | "response_too_large"
        | "http_status"
        | "lease_expired"
        | "body_missing"
        | "event_refused"
        | "endpoint_deleted"
        | "parked_too_long"
        | "expired"
        | null;
      last_status_code: number | null;
      merchant_id: string;
      url: string;
      waiting_seconds: number;
    }[];
  };
  /** Invite a person as an operator, or to any merchant. The answer has the link, once. */
  "POST /dashboard/v1/operator/invitations": {
    path: undefined;
    query: undefined;
    body: {
      email: string;
      merchantId?: string | undefined;
      role?: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | undefined;
    };
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      /** Whether the mail server of the service took it for its person. */
      is_mailed: boolean;
      /** The link to send. No other answer has it. Null where it was mailed: its person alone has it. */
      link: string | null;
      merchant_id: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    };
  };
  /** List the open links that invite operators or reset passwords. Newest first. `invited_by` is null for a link of the command line. */
  "GET /dashboard/v1/operator/links": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      kind: "invitation" | "reset";
      resets_second_factor: boolean;
    }[];
  };
  /** Withdraw a link that invites an operator or resets a password */
  "DELETE /dashboard/v1/operator/links/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      kind: "invitation" | "reset";
      resets_second_factor: boolean;
    };
  };
  /** List the newest 500 merchants. The download has all of them. The command line sets fee terms. */
  "GET /dashboard/v1/operator/merchants": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      active_address_cap: number;
      created_at: string;
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      id: string;
      name: string;
      suspended_at: string | null;
      updated_at: string;
    }[];
  };
  /** Create a merchant */
  "POST /dashboard/v1/operator/merchants": {
    path: undefined;
    query: undefined;
    body: {
      activeAddressCap?: string | undefined;
      name: string;
    };
    answer: {
      active_address_cap: number;
      created_at: string;
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      id: string;
      name: string;
      suspended_at: string | null;
      updated_at: string;
    };
  };
  /** Change the cap of active addresses */
  "PATCH /dashboard/v1/operator/merchants/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      activeAddressCap: string;
      updatedAt: string;
    };
    answer: {
      active_address_cap: number;
      created_at: string;
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      id: string;
      name: string;
      suspended_at: string | null;
      updated_at: string;
    };
  };
  /** Allow new orders of a merchant again. Existing charges continue: their payments are credited and announced. */
  "POST /dashboard/v1/operator/merchants/{id}/resume": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: {
      active_address_cap: number;
      created_at: string;
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      id: string;
      name: string;
      suspended_at: string | null;
      updated_at: string;
    };
  };
  /** Stop new orders of a merchant. Existing charges continue: their payments are credited and announced. */
  "POST /dashboard/v1/operator/merchants/{id}/suspend": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      reason: string;
    };
    answer: {
      active_address_cap: number;
      created_at: string;
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      id: string;
      name: string;
      suspended_at: string | null;
      updated_at: string;
    };
  };
  /** See how the service is. The state of this process as / on METRICS_PORT has it, with sweeps, whether another process reads the chain, and what the other processes check. Unknown parts are null. */
  "GET /dashboard/v1/operator/overview": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      sweeps: Record<string, unknown>;
    };
  };
  /** List the first 500 people by e-mail. The download has all of them. */
  "GET /dashboard/v1/operator/people": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      disabled_at: string | null;
      email: string;
      has_second_factor: boolean;
      id: string;
      is_operator: boolean;
      memberships: {
        merchant_id: string;
        role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
      }[];
      name: string;
    }[];
  };
  /** End all sessions and links of a person, and refuse sign-in */
  "POST /dashboard/v1/operator/people/{id}/disable": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      disabled_at: string | null;
      email: string;
      has_second_factor: boolean;
      id: string;
      is_operator: boolean;
      memberships: {
        merchant_id: string;
        role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
      }[];
      name: string;
    };
  };
  /** Let a person sign in again */
  "POST /dashboard/v1/operator/people/{id}/enable": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      disabled_at: string | null;
      email: string;
      has_second_factor: boolean;
      id: string;
      is_operator: boolean;
      memberships: {
        merchant_id: string;
        role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
      }[];
      name: string;
    };
  };
  /** Make a link by which a person sets a new password. `secondFactor` removes the app, passkeys and recovery codes too. The answer has the link, once. */
  "POST /dashboard/v1/operator/people/{id}/reset": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      secondFactor?: boolean | undefined;
    };
    answer: {
      created_at: string;
      email: string;
      expires_at: string;
      id: string;
      invited_by: string | null;
      /** Whether the mail server of the service took it for its person. */
      is_mailed: boolean;
      /** The link to send. No other answer has it. Null where it was mailed: its person alone has it. */
      link: string | null;
      merchant_id: string | null;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner" | null;
    };
  };
  /** List payments by filters that `/v1` does not have. Newest first; with `reference` the greatest reference first. Made from `from` on and before `to`. A page may have fewer rows than asked for, or none: `meta.next` leads on. The role needs the right `charges:read`. */
  "GET /dashboard/v1/payments": {
    path: undefined;
    query: {
      kind?: "order" | "receive" | "open" | undefined;
      status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
      /** `paid`: paid or accepted. `short`: some money is confirmed, and less than is due. */
      payment?: "paid" | "short" | undefined;
      /** How `order_ref` begins, letter by letter. */
      reference?: string | undefined;
      paymentLinkId?: string | undefined;
      /** The `ref` in the address of the payment link. */
      payerRef?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      after?: string | undefined;
      limit?: string | undefined;
    };
    body: undefined;
    answer: {
      amount_due: string | null;
      amount_received: string;
      created_at: string;
      currency: "USDT" | "TRX";
      customer_ref: string | null;
      expected_amount: string | null;
      id: string;
      kind: "order" | "receive" | "open";
      label: string | null;
      order_ref: string | null;
      /** The state of the payment in one word. */
      state:
        | "waiting"
        | "lastBlocks"
        | "seen"
        | "confirming"
        | "paid"
        | "overpaid"
        | "accepted"
        | "underpaid"
        | "tooLate"
        | "expired"
        | "closed"
        | "open"
        | "receiving"
        | "received";
      status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
    }[];
  };
  /** Create an order or an open address, with a lifetime of its own. As `POST /v1/deposit-addresses`, but `lifetimeSeconds` says how long it can be paid. The role needs the right `charges:write`. */
  "POST /dashboard/v1/payments": {
    path: undefined;
    query: undefined;
    body: {
      amount?: string | null | undefined;
      /** Ignored: the key of the request counts. */
      apiKeyId?: string | undefined;
      cancelUrl?: string | null | undefined;
      chain?: "tron" | null | undefined;
      currency?: "USDT" | "TRX" | null | undefined;
      /** The payer's e-mail address, for the receipt and what the payer has to know. The first address of an order counts. It is encrypted, kept 90 days after the last change of the order, and never in webhooks. */
      customerEmail?: string | null | undefined;
      /** With `reusable`: your own reference of the customer. Each customer has one standing address, found or created. */
      customerRef?: string | null | undefined;
      label?: string | null | undefined;
      /** Seconds until it expires; by default the lifetime of the merchant's settings. */
      lifetimeSeconds?: number | undefined;
      /** Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8. */
      metadata?: Record<string, string> | null | undefined;
      orderRef?: string | null | undefined;
      pricingCurrency?:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY"
        | "USDT"
        | null
        | undefined;
      reusable?: boolean | null | undefined;
      settlementAccountId?: string | null | undefined;
      successUrl?: string | null | undefined;
    };
    answer: CreatedDepositAddress;
  };
  /** Write a note about a payment. Only people of the merchant read it. It cannot be changed. The role needs the right `notes:write`. */
  "POST /dashboard/v1/payments/{id}/notes": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      text: string;
    };
    answer: {
      by: string;
      created_at: string;
      decision: "accept" | "extend" | "archive" | "dismiss" | null;
      id: string;
      text: string;
    };
  };
  /** See the refunds of a payment, and what is left to refund. With the price of a transfer, and the transfers that may be a refund. The role needs the right `refunds:read`. */
  "GET /dashboard/v1/payments/{id}/refunds": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** Whether a request archives it first, because it is not paid. */
      closes_order: boolean;
      /** Each coin that came. */
      coins: {
        /** The price of a transfer from a wallet without energy; null before the settlement role found it. */
        cost_trx: string | null;
        cost_usd: string | null;
        currency: "USDT" | "TRX";
        /** The amount of a request that names none. */
        default_amount: string;
        /** Whether it is the coin of the charge. */
        is_own: boolean;
        /** False where the default amount is worth less than its transfer costs, by the newest rates. */
        is_worth: boolean;
        left: string;
        /** The sum of its refunds that are not canceled. */
        promised: string;
        /** Confirmed money of the coin. */
        received: string;
        /** The money that is too much and not promised yet. */
        surplus: string;
      }[];
      /** Of a paid order: a request of more than `surplus` of its own coin must be confirmed. */
      is_paid_order: boolean;
      /** Transfers that a person must look at. */
      proposals: {
        amount: string;
        block_number: number;
        block_time: string;
        currency: "USDT" | "TRX";
        from_address: string;
        is_in_chain: boolean;
        refund_id: string;
        status: "PROPOSED" | "TAKEN" | "FINAL" | "DROPPED";
        to_address: string;
        tx_hash: string;
      }[];
      /** The oldest first. `claim_url` is null. */
      refunds: Refund[];
    };
  };
  /** See what happened to a payment. Oldest first: quotes, deposits by status, the checks of those that are not final, events, the answers to their webhooks, and how it closed; and the notes, the state, the possible actions, and the order with its rests. Events and answers need the right `webhooks:read`. The role needs the right `charges:read`. */
  "GET /dashboard/v1/payments/{id}/story": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** The operations that the service would now carry out for a person with the right. */
      actions: ("accept" | "rest" | "extend" | "archive")[];
      /** The credited money of the order and its rests, which has no dust. */
      credited_amount: string;
      /** Credited money less the due; negative while money is missing. That of an order counts the money of its rests. Null where any amount will do. */
      difference: string | null;
      entries: (
        | {
            at: string;
            id: string;
            kind: "quote";
            source: string;
          }
        | {
            at: string;
            block_number: number;
            id: string;
            kind: "deposit";
            status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
            tx_hash: string;
          }
        | {
            at: string;
            id: string;
            /** Of a deposit that is not final: `at` is since when the result is this one. */
            kind: "check";
            /** Its block is final; the nodes agree about it; its address holds the money. */
            name: "solidity" | "quorum" | "balance";
            result: "passed" | "waiting";
          }
        | {
            at: string;
            count: number;
            id: string;
            kind: "dust";
          }
        | {
            at: string;
            how: "paid" | "too_late" | "expired" | "late_over" | "closed";
            id: string;
            kind: "closing";
          }
        | {
            at: string;
            id: string;
            kind: "event";
            type: string;
          }
        | {
            at: string;
            /** The URL of its endpoint, as it is now. */
            endpoint: string;
            error: string | null;
            id: string;
            kind: "attempt";
            status_code: number | null;
            /** Of the event. */
            type: string;
          }
      )[];
      /** The order and its rests, the oldest first, once a rest was asked for; else empty. */
      family: {
        amount_due: string | null;
        amount_received: string;
        created_at: string;
        currency: "USDT" | "TRX";
        customer_ref: string | null;
        expected_amount: string | null;
        id: string;
        kind: "order" | "receive" | "open";
        label: string | null;
        order_ref: string | null;
        /** The state of the payment in one word. */
        state:
          | "waiting"
          | "lastBlocks"
          | "seen"
          | "confirming"
          | "paid"
          | "overpaid"
          | "accepted"
          | "underpaid"
          | "tooLate"
          | "expired"
          | "closed"
          | "open"
          | "receiving"
          | "received";
        status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
      }[];
      notes: {
        by: string;
        created_at: string;
        decision: "accept" | "extend" | "archive" | "dismiss" | null;
        id: string;
        text: string;
      }[];
      /** The amount due of the order; null where any amount will do. */
      price_amount: string | null;
      /** The state of the payment in one word. */
      state:
        | "waiting"
        | "lastBlocks"
        | "seen"
        | "confirming"
        | "paid"
        | "overpaid"
        | "accepted"
        | "underpaid"
        | "tooLate"
        | "expired"
        | "closed"
        | "open"
        | "receiving"
        | "received";
    };
  };
  /** List the people of a merchant */
  "GET /dashboard/v1/people": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      disabled: boolean;
      email: string;
      has_second_factor: boolean;
      id: string;
      joined_at: string;
      last_seen_at: string | null;
      name: string;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
    }[];
  };
  /** Change the role of a member. The member's sessions end. With a lower role, so do the links that the member made. Only owners make and change owners. The role needs the right `people:write`. */
  "PATCH /dashboard/v1/people/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
      /** The role that the form shows as the present one. */
      shownRole?:
        | "viewer"
        | "accountant"
        | "support"
        | "cashier"
        | "developer"
        | "admin"
        | "owner"
        | undefined;
    };
    answer: {
      disabled: boolean;
      email: string;
      has_second_factor: boolean;
      id: string;
      joined_at: string;
      last_seen_at: string | null;
      name: string;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
    };
  };
  /** Remove a member, or leave. The member's sessions end, and so do the links that the member made. Removing another member needs the right `people:write`, and of an owner `owners:write`. The role needs the right `account:read`. */
  "DELETE /dashboard/v1/people/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      disabled: boolean;
      email: string;
      has_second_factor: boolean;
      id: string;
      joined_at: string;
      last_seen_at: string | null;
      name: string;
      role: "viewer" | "accountant" | "support" | "cashier" | "developer" | "admin" | "owner";
    };
  };
  /** Get a file of all refunds of a coin that are ready to be paid. At most 500, the oldest first. Their addresses and amounts stay for half an hour. The columns are `address,amount,reference`, and then what a person checks. The role needs the right `refunds:pay`. */
  "POST /dashboard/v1/refunds/pay-file": {
    path: undefined;
    query: undefined;
    body: {
      currency: "USDT" | "TRX";
    };
    answer: {
      count: number;
      csv: string;
      /** Of the file. */
      name: string;
      /** How many of them a person opened in the last half hour, who may be paying them. */
      opened_before: number;
    };
  };
  /** See what to know about a refund before it is paid. Beside the row of `GET /v1/refunds/{id}`. The role needs the right `refunds:read`. */
  "GET /dashboard/v1/refunds/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      asked_by: {
        id: string;
        kind: "person" | "key";
        name: string | null;
      } | null;
      /** The contract of its token; null for TRX. */
      contract: string | null;
      /** The price of a transfer from a wallet without energy; null before the settlement role found it. */
      cost_trx: string | null;
      cost_usd: string | null;
      /** Block 0 of the chain on which it is paid. */
      genesis_id: string | null;
      /** Whether the address sent confirmed money of this order; null without an address. */
      has_paid: boolean | null;
      id: string;
      /** Whether the claim link takes an address now. */
      is_claim_open: boolean;
      is_main_network: boolean;
      /** False if another program wrote the row: then it is not paid. */
      is_ours: boolean;
      /** False where another owner or admin must confirm, because the caller asked for the refund. */
      may_confirm: boolean;
      /** The side that named the address. */
      named_by: "payer" | "merchant" | null;
      /** Addresses that the refund had before: do not pay them. */
      replaced_addresses: string[];
      /** Transfers to its addresses that may be it, the oldest first. */
      transfers: {
        amount: string;
        block_number: number;
        block_time: string;
        currency: "USDT" | "TRX";
        from_address: string;
        is_in_chain: boolean;
        status: "PROPOSED" | "TAKEN" | "FINAL" | "DROPPED";
        to_address: string;
        tx_hash: string;
      }[];
    };
  };
  /** Find payments by what a customer says. A reference, its beginning or words of it, of label or metadata; an amount; or the link of the payment's page. Or an address, sender or transaction, whole, shortened or in a link. `is_cut`: older payments may have these words too; more words find them. Of a transaction that is no payment of yours, `transaction` has what the nodes say. A person who sees own orders alone gets no word of the nodes. The role needs the right `charges:read`. */
  "GET /dashboard/v1/search": {
    path: undefined;
    query: {
      q: string;
    };
    body: undefined;
    answer: {
      is_cut: boolean;
      results: {
        amount_due: string | null;
        amount_received: string;
        created_at: string;
        currency: "USDT" | "TRX";
        customer_ref: string | null;
        expected_amount: string | null;
        id: string;
        kind: "order" | "receive" | "open";
        label: string | null;
        order_ref: string | null;
        /** The state of the payment in one word. */
        state:
          | "waiting"
          | "lastBlocks"
          | "seen"
          | "confirming"
          | "paid"
          | "overpaid"
          | "accepted"
          | "underpaid"
          | "tooLate"
          | "expired"
          | "closed"
          | "open"
          | "receiving"
          | "received";
        status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
        why:
          | "id"
          | "order reference"
          | "customer"
          | "transaction"
          | "address"
          | "sender"
          | "amount"
          | "label"
          | "metadata";
      }[];
      /** Not proven: for a person to read. */
      transaction: {
        /** The address that it paid. */
        address: string | null;
        /** Null for a token that is not accepted. */
        amount: string | null;
        currency: "USDT" | "TRX" | null;
        /** `failed`: it paid nothing. `other_address`: it paid no address of yours. `other_token`: it sent you a token that is not accepted. `seen`: it pays you, in a block that is not read yet. `missed`: nodes say that it pays you, and its block was read without it. `not_on_tron`: a hash of another network (0x…). `not_found`: no node knows it. `no_answer`: no node could be asked, or answered. */
        result:
          | "failed"
          | "other_address"
          | "other_token"
          | "missed"
          | "seen"
          | "not_on_tron"
          | "not_found"
          | "no_answer";
      } | null;
    };
  };
  /** See who is signed in */
  "GET /dashboard/v1/session": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Session;
  };
  /** Prove again that it is you. For five minutes the session may change keys, wallets, second factors and roles. */
  "POST /dashboard/v1/session/reauthenticate": {
    path: undefined;
    query: undefined;
    body:
      | {
          response: {
            clientExtensionResults?: Record<string, unknown> | undefined;
            id: string;
            rawId: string;
            response: {
              authenticatorData: string;
              clientDataJSON: string;
              signature: string;
              userHandle?: string | undefined;
            };
            type: "public-key";
          };
        }
      | {
          code?: string | undefined;
          password: string;
        };
    answer: Session;
  };
  /** List your sessions */
  "GET /dashboard/v1/sessions": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      address: string;
      created_at: string;
      id: string;
      is_current: boolean;
      seen_at: string;
      user_agent: string;
    }[];
  };
  /** End all your sessions but this one */
  "POST /dashboard/v1/sessions/end-others": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      ended: number;
    };
  };
  /** End one of your sessions */
  "DELETE /dashboard/v1/sessions/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      address: string;
      created_at: string;
      id: string;
      is_current: boolean;
      seen_at: string;
      user_agent: string;
    };
  };
  /** See the settings of a merchant */
  "GET /dashboard/v1/settings": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      accent_color: string;
      account_codes: Record<string, string>;
      active_address_cap: number;
      book_currency:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY";
      checkout_languages: string[] | null;
      embed_origins: string[];
      embed_script: {
        integrity: string;
        url: string;
      };
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      late_window_seconds: number;
      legal_address: string | null;
      legal_name: string | null;
      logo_url: string | null;
      /** Whether this service has a mail server. */
      mail_configured: boolean;
      name: string;
      offered_languages: string[];
      open_lifetime_seconds: number;
      order_lifetime_seconds: number;
      support_email: string | null;
      /** Whether the reader of `support_email` confirmed it: then answers of payers to mails go there. */
      support_email_confirmed: boolean;
      support_url: string | null;
      suspended_at: string | null;
      tax_id: string | null;
      time_zone: string;
      /** In percent. */
      underpayment_tolerance: string;
      updated_at: string;
    };
  };
  /** Change settings. Values are texts, as the command line takes them. Orders that exist keep their terms. The role needs the right `settings:write`. */
  "PATCH /dashboard/v1/settings": {
    path: undefined;
    query: undefined;
    body: {
      accentColor?: string | undefined;
      checkoutLanguages?: string | undefined;
      embedOrigin?: string | undefined;
      feeMode?: string | undefined;
      lateWindow?: string | undefined;
      legalAddress?: string | undefined;
      legalName?: string | undefined;
      name?: string | undefined;
      openLifetime?: string | undefined;
      orderLifetime?: string | undefined;
      supportEmail?: string | undefined;
      supportUrl?: string | undefined;
      taxId?: string | undefined;
      timeZone?: string | undefined;
      underpaymentTolerance?: string | undefined;
      updatedAt: string;
    };
    answer: {
      accent_color: string;
      account_codes: Record<string, string>;
      active_address_cap: number;
      book_currency:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY";
      checkout_languages: string[] | null;
      embed_origins: string[];
      embed_script: {
        integrity: string;
        url: string;
      };
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      late_window_seconds: number;
      legal_address: string | null;
      legal_name: string | null;
      logo_url: string | null;
      /** Whether this service has a mail server. */
      mail_configured: boolean;
      name: string;
      offered_languages: string[];
      open_lifetime_seconds: number;
      order_lifetime_seconds: number;
      support_email: string | null;
      /** Whether the reader of `support_email` confirmed it: then answers of payers to mails go there. */
      support_email_confirmed: boolean;
      support_url: string | null;
      suspended_at: string | null;
      tax_id: string | null;
      time_zone: string;
      /** In percent. */
      underpayment_tolerance: string;
      updated_at: string;
    };
  };
  /** Change the currency of the books and the codes of accounts. Values are texts, as the command line takes them. `accountCode` gives all codes; an account that it leaves out has its default. The role needs the right `books:write`. */
  "PATCH /dashboard/v1/settings/books": {
    path: undefined;
    query: undefined;
    body: {
      accountCode?: string | undefined;
      bookCurrency?: string | undefined;
      updatedAt: string;
    };
    answer: {
      accent_color: string;
      account_codes: Record<string, string>;
      active_address_cap: number;
      book_currency:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY";
      checkout_languages: string[] | null;
      embed_origins: string[];
      embed_script: {
        integrity: string;
        url: string;
      };
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      late_window_seconds: number;
      legal_address: string | null;
      legal_name: string | null;
      logo_url: string | null;
      /** Whether this service has a mail server. */
      mail_configured: boolean;
      name: string;
      offered_languages: string[];
      open_lifetime_seconds: number;
      order_lifetime_seconds: number;
      support_email: string | null;
      /** Whether the reader of `support_email` confirmed it: then answers of payers to mails go there. */
      support_email_confirmed: boolean;
      support_url: string | null;
      suspended_at: string | null;
      tax_id: string | null;
      time_zone: string;
      /** In percent. */
      underpayment_tolerance: string;
      updated_at: string;
    };
  };
  /** Set or remove the logo. PNG, JPEG or WebP of at most 100 kB, in base64 or fetched once from `url`. Neither removes it. The role needs the right `settings:write`. */
  "PUT /dashboard/v1/settings/logo": {
    path: undefined;
    query: undefined;
    body: {
      content?: string | undefined;
      updatedAt: string;
      url?: string | undefined;
    };
    answer: {
      accent_color: string;
      account_codes: Record<string, string>;
      active_address_cap: number;
      book_currency:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY";
      checkout_languages: string[] | null;
      embed_origins: string[];
      embed_script: {
        integrity: string;
        url: string;
      };
      fee_basis_points: number;
      fee_fixed: {
        TRX: string;
        USDT: string;
      };
      fee_mode: "merchant" | "client";
      late_window_seconds: number;
      legal_address: string | null;
      legal_name: string | null;
      logo_url: string | null;
      /** Whether this service has a mail server. */
      mail_configured: boolean;
      name: string;
      offered_languages: string[];
      open_lifetime_seconds: number;
      order_lifetime_seconds: number;
      support_email: string | null;
      /** Whether the reader of `support_email` confirmed it: then answers of payers to mails go there. */
      support_email_confirmed: boolean;
      support_url: string | null;
      suspended_at: string | null;
      tax_id: string | null;
      time_zone: string;
      /** In percent. */
      underpayment_tolerance: string;
      updated_at: string;
    };
  };
  /** Mail a link that confirms the support address. The link holds for 24 hours. Its reader confirms the address, and answers of payers to mails go there. One mail in 15 minutes for an address, 5 a day for a merchant. The role needs the right `settings:write`. */
  "POST /dashboard/v1/settings/support-email/confirm": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: null;
  };
  /** See money that is too little for a sweep now. One row for each currency with such money, by the prices and rates that the settlement role last found. The role needs the right `settlements:read`. */
  "GET /dashboard/v1/settlements/small": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      addresses: number;
      amount: string;
      /** The price of sweeping all of it now, at most. */
      cost_trx: string;
      cost_usd: string | null;
      currency: "USDT" | "TRX";
      /** When the settlement role found prices and rates. */
      found_at: string;
      old_after_seconds: number;
      /** The same after `old_after_seconds`. */
      old_swept_from: string | null;
      since: string | null;
      /** The least that is swept at once; null without a rate. */
      swept_from: string | null;
    }[];
  };
  /** Make a code to connect a shop by. It connects one shop, within ten minutes, and ends the merchant's code before it. Its maker needs `webhooks:write` too, and every right that the shop's key gets. The role needs the right `keys:write`. */
  "POST /dashboard/v1/shop-codes": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      code: string;
      expires_at: string;
      /** The address of the service, which the shop asks for. */
      service_url: string | null;
    };
  };
  /** Sign in with e-mail and password. Sets the session's cookie. `code` is six digits of the app, or a recovery code. */
  "POST /dashboard/v1/sign-in": {
    path: undefined;
    query: undefined;
    body: {
      code?: string | undefined;
      email: string;
      password: string;
    };
    answer: Session;
  };
  /** Sign in with a passkey */
  "POST /dashboard/v1/sign-in/passkey": {
    path: undefined;
    query: undefined;
    body: {
      response: {
        clientExtensionResults?: Record<string, unknown> | undefined;
        id: string;
        rawId: string;
        response: {
          authenticatorData: string;
          clientDataJSON: string;
          signature: string;
          userHandle?: string | undefined;
        };
        type: "public-key";
      };
    };
    answer: Session;
  };
  /** Ask for the options of a sign-in with a passkey */
  "POST /dashboard/v1/sign-in/passkey/options": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      options: {
        challenge: string;
      };
    };
  };
  /** End this session */
  "POST /dashboard/v1/sign-out": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      signed_out: true;
    };
  };
  /** List the wallets that were asked for. Newest first, at most 100; the export has all. The role needs the right `account:read`. */
  "GET /dashboard/v1/wallet-requests": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      address: string;
      /** The command by which the operator approves the wallet at the signer; NAME and FILE are the operator's. */
      approve_command: string;
      /** The command by which the operator adds the wallet. */
      command: string;
      created_at: string;
      id: string;
      label: string | null;
      /** The keys that may move the wallet, as the person confirmed them: `own` or a digest. Null for older requests. */
      permissions: string | null;
      requested_by: string;
      status: "waiting" | "added" | "withdrawn";
      withdrawn_at: string | null;
    }[];
  };
  /** Ask for a wallet to settle to. The nodes say which keys may move it. It counts once the operator ran `command` and `approve_command`. The role needs the right `wallets:write`. */
  "POST /dashboard/v1/wallet-requests": {
    path: undefined;
    query: undefined;
    body: {
      address: string;
      label?: string | undefined;
      /** Confirms that other keys have permissions on the wallet: the digest of the refusal WALLET_NOT_CONFIRMED. */
      permissions?: string | undefined;
    };
    answer: {
      address: string;
      /** The command by which the operator approves the wallet at the signer; NAME and FILE are the operator's. */
      approve_command: string;
      /** The command by which the operator adds the wallet. */
      command: string;
      created_at: string;
      id: string;
      label: string | null;
      /** The keys that may move the wallet, as the person confirmed them: `own` or a digest. Null for older requests. */
      permissions: string | null;
      requested_by: string;
      status: "waiting" | "added" | "withdrawn";
      withdrawn_at: string | null;
    };
  };
  /** Take back a request for a wallet */
  "DELETE /dashboard/v1/wallet-requests/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      address: string;
      /** The command by which the operator approves the wallet at the signer; NAME and FILE are the operator's. */
      approve_command: string;
      /** The command by which the operator adds the wallet. */
      command: string;
      created_at: string;
      id: string;
      label: string | null;
      /** The keys that may move the wallet, as the person confirmed them: `own` or a digest. Null for older requests. */
      permissions: string | null;
      requested_by: string;
      status: "waiting" | "added" | "withdrawn";
      withdrawn_at: string | null;
    };
  };
};
