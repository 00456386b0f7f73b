import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "es";

/** Spanish. */
export const es: Translation = {
  language: LANGUAGE,
  name: "Español",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `Pago a ${shop}`,
    payAmount: ({ amount, shop }) => `Pagar ${amount} · ${shop}`,
    paidTitle: "✓ Pagado",
    receiptTitle: ({ order }) => `Recibo ${order}`,
    test: "Prueba",
    noCoinValue: "Las monedas de aquí no tienen ningún valor.",
    keepPhraseSecret:
      "Nadie que cobre un pago necesita la frase de recuperación de su billetera. No la escriba nunca en una página.",
    connectionLost: "Se perdió la conexión. Intentando de nuevo…",
    otherLanguages: "Otros idiomas",
    otherPage: "Abrir la otra página de este pedido",
  },
  testNetworks: {
    nile: "Red de prueba Nile",
    shasta: "Red de prueba Shasta",
    devnet: "Cadena local de desarrollo",
    private: "Cadena privada",
  },

  status: {
    awaiting: {
      title: "Esperando su pago",
      text: "Esta página se actualiza sola unos segundos después del envío.",
    },
    awaitingAny: ({ currency }) => ({
      title: `Todo listo para recibir ${currency}`,
      text: "Envíe lo que desee. Esta página se actualiza sola unos segundos después.",
    }),
    standing: ({ currency }) => ({
      title: `Todo listo para recibir ${currency}`,
      text: "Envíe cuantas veces quiera. Cada pago aparece aquí unos segundos después.",
    }),
    lastBlocks: {
      title: "El tiempo terminó; revisando los últimos bloques",
      text: "No envíe nada ahora. Si envió a tiempo, su pago aparecerá aquí en un minuto aproximadamente.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `Llegaron ${amount}; este pedido es en ${currency}`,
        text: `No cuentan para el pedido, pero no se han perdido: ${shop} puede encontrarlos. Para pagar, envíe ${currency} como se indica abajo.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `Llegaron ${amount}; esta dirección es para ${currency}`,
        text: `No cuentan como pago, pero no se han perdido: ${shop} puede encontrarlos. Para pagar, envíe ${currency} como se indica abajo.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `Falta enviar ${rest}`,
      text: `Encontramos ${received} y se está confirmando. Envíe el resto a la misma dirección.`,
      spoken: `Encontramos ${received}. Falta enviar ${rest} a la misma dirección.`,
    }),
    found: ({ received }) => ({
      title: "Pago encontrado",
      text: `Encontramos ${received}. La red lo confirma en un minuto aproximadamente. Puede cerrar esta página: no se perderá nada.`,
      spoken: `Encontramos ${received}. Confirmando, un minuto aproximadamente.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Pago encontrado",
      text: `El pago de ${received} tiene todas las confirmaciones. Cuenta en cuanto la red lo haga definitivo, normalmente en unos segundos. Puede cerrar esta página: no se perderá nada.`,
      spoken: `El pago de ${received} tiene todas las confirmaciones. Será definitivo en unos segundos.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Pago encontrado",
      text: `Encontramos ${received}. La red tarda más de lo habitual. Su pago está a salvo: solo hay que esperar.`,
      spoken: `Encontramos ${received}. La red tarda más de lo habitual. Su pago está a salvo.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Pago encontrado",
      text: `Encontramos ${received}. La red está reordenando sus últimos bloques. Por favor, no envíe por segunda vez.`,
      spoken: `Encontramos ${received}. La red está reordenando sus últimos bloques. Por favor, no envíe por segunda vez.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `Faltan ${rest}`,
      text: `Llegaron ${received} de ${due}. Envíe ${rest} más a la misma dirección antes de que termine el tiempo.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "Pagado en parte",
      text: `Llegaron ${received}. Obtenga el importe actual del resto y envíelo a la misma dirección.`,
    }),
    smallRest: ({ shop }) =>
      `Es probable que un exchange haya cobrado su comisión. ¿Es muy poco para su exchange? Use una billetera o escriba a ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "Pagado en parte",
      text: `Llegaron ${received} de ${due}; faltan ${rest} y el tiempo terminó. No envíe el resto ahora: escriba a ${shop} para que le entreguen el pedido o le devuelvan el dinero.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Su pago llegó demasiado tarde",
      text: `Llegaron ${received} sin problema, pero este pedido ya estaba cerrado. ${shop} lo ve: escríbales para que le entreguen el pedido o le devuelvan el dinero.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "Una parte de su pago llegó demasiado tarde",
      text: `${received} llegaron a tiempo y ${late} cuando este pedido ya estaba cerrado. Escriba a ${shop} para que le entreguen el pedido o le devuelvan el dinero.`,
    }),
    continued: {
      title: "Este pedido continúa en otra página",
      text: "No envíe nada más a esta página. La otra página muestra lo que falta por pagar.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "Pagado",
      text: `Llegaron ${received} aquí y ${rest} por otra página de este pedido. El pago es definitivo.`,
    }),
    paid: ({ received }) => ({
      title: "Pagado",
      text: `Recibimos ${received}. El pago es definitivo.`,
    }),
    paidLate: ({ received }) => ({
      title: "Pagado",
      text: `Recibimos ${received}. Llegó fuera de plazo y fue aceptado. El pago es definitivo.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "Pagado",
      text: `${shop} aceptó ${received} de ${due} como pago completo.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Pago recibido",
      text: `${received} hasta ahora. Puede volver a enviar a esta dirección.`,
      spoken: `Pago recibido. ${received} hasta ahora.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Pagado",
      text: `Recibimos ${received}, ${surplus} más de lo pedido. ${shop} también lo ve: pida la devolución.`,
    }),
    expired: ({ shop }) => ({
      title: "Este enlace de pago ha caducado",
      text: `No llegó nada. No envíe nada ahora: empiece de nuevo en ${shop}.`,
      more: "¿Ya envió? Su dinero no se ha perdido. Aparecerá aquí en unos minutos; si no, compruebe su transacción.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "Este enlace de pago ha caducado",
      text: `Llegaron ${amount}, pero este pedido era en ${currency}. No se han perdido: ${shop} puede encontrarlos. No envíe nada ahora.`,
    }),
    closed: ({ shop }) => ({
      title: "Este pedido está cerrado",
      text: `${shop} lo cerró antes de que se pagara. No envíe nada ahora.`,
      more: `¿Ya envió? Su dinero no se ha perdido: escriba a ${shop}.`,
    }),

    confirmations: "Confirmaciones",
    confirmationsOf: ({ count, required }) => [count, " de ", required],
    notFinalYet: "Esperando a que la red lo haga definitivo",
    unmatched: {
      order: ({ amount, currency }) =>
        `También llegaron ${amount}. No cuentan: este pedido es en ${currency}.`,
      address: ({ amount, currency }) =>
        `También llegaron ${amount}. No cuentan: esta dirección es para ${currency}.`,
    },
  },

  summary: {
    amount: "Importe",
    amountToSend: "Importe a enviar",
    stillToSend: "Falta enviar",
    amountSent: "Importe enviado",
    amountReceived: "Importe recibido",
    youChoose: "Usted elige el importe",
    inCurrency: ({ currency }) => `en ${currency}`,
    copyAmount: { shown: "Copiar", hidden: "importe" },
    order: "Pedido",
    price: "Precio",
    rate: "Tipo de cambio",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "Comisión de red y de servicio",
    totalDue: "A enviar",
    received: "Recibido",
    receivedAt: "Fecha de recepción",
    network: "Red",
    testNetwork: "prueba",
    timeToPay: "Tiempo para pagar",
    heldFor: ({ left }) => `Precio garantizado durante ${left}`,
    heldUntil: ({ time }) => `Precio garantizado hasta el ${time}`,
    heldNoLonger: "El precio ya no está garantizado",
    todaysAmount: "Obtener el importe actual",
    alreadySent: ({ time }) => ["¿Ya envió? El pago cuenta si se envió antes de las ", time, "."],
    until: ({ time }) => `hasta el ${time}`,
  },

  payment: {
    qrCode: "Código QR de la dirección",
    showQrCode: "Mostrar el código QR para otro dispositivo",
    toAddress: "A esta dirección",
    copyAddress: { shown: "Copiar dirección" },
    payWithWallet: "Pagar con TronLink",
    sendOnly: ({ coin }) => ["Solo ", coin, "."],
    otherNetworks: {
      token:
        "Por cualquier otra red (Ethereum ERC-20, BNB BEP-20, Solana…) el dinero no llega y puede perderse.",
      native: "Por cualquier otra red el dinero no llega y puede perderse.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} en TRON (TRC-20)`,
      native: ({ coin }) => `${coin} en TRON`,
    },
    fromExchange: "¿Paga desde un exchange?",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "Indique un importe con el que recibamos ",
        amount,
        " después de la comisión de retiro (suele ser de ",
        fee,
        " aproximadamente).",
      ],
      unnamedFee: ({ amount }) => [
        "Indique un importe con el que recibamos ",
        amount,
        " después de la comisión de retiro.",
      ],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { one: "Su pago", many: "Sus pagos", other: "Sus pagos" }),
    confirming: "Confirmando",
    confirmed: "Confirmado",
    confirmedLate: "Confirmado, tarde",
    failed: "Fallido",
    doesNotCount: "No cuenta",
    tiny: (count) => `Transferencias minúsculas de terceros: ${count}`,
    transaction: ({ id }) => `Transacción ${id} en el explorador`,
    transactionId: "Transacción",
    copyTransaction: { shown: "Copiar", hidden: "ID de la transacción" },
    from: "Desde",
    explorer: "Explorador",
    print: "Imprimir recibo",
  },

  exit: {
    backTo: ({ shop }) => ["Volver a ", shop],
    leavingIn: ({ host, seconds }) => ["Le llevamos a ", host, " en ", seconds, " s."],
    stay: "Quedarse aquí",
    stays: "Esta página queda abierta.",
    cancel: ({ host }) => `Cancelar y volver a ${host}`,
  },

  receipt: {
    title: "Recibo",
    paidTo: "Pagado a",
    contact: "Contacto",
    page: "Página de pago",
    noValue: "sin valor",
  },

  contact: {
    none: ({ shop }) => `${shop} no indica aquí ningún contacto: pregunta donde hiciste el pedido.`,
    link: {
      help: ({ shop }) => `Escribir a ${shop}`,
      refund: ({ shop }) => `Pedir la devolución a ${shop}`,
    },
    mail: {
      order: ({ order }) => `Pedido ${order}`,
      payment: ({ shop }) => `Mi pago a ${shop}`,
      page: ({ page }) => `Página de pago: ${page}`,
      address: ({ address }) => `Dirección: ${address}`,
      transaction: ({ id }) => `Transacción: ${id}`,
      received: ({ received }) => `Recibido: ${received}`,
      receivedOf: ({ received, due }) => `Recibido: ${received} de ${due}`,
    },
  },

  lookup: {
    title: "He pagado, pero no aparece",
    label: "ID de la transacción o enlace del explorador",
    hint: "Su billetera o exchange lo muestra como TxID o hash: 64 caracteres, 0–9 y a–f.",
    check: "Comprobar",
    failed: "No pudimos comprobarlo ahora. Inténtelo de nuevo en un minuto.",
    counted: ({ amount }) =>
      `Con esta transacción llegaron ${amount}; el pago es definitivo y cuenta. No tiene que hacer nada.`,
    countedBefore: ({ amount, rest }) =>
      `Con esta transacción llegaron ${amount}, que cuentan para este pedido. Esta página pide el resto: ${rest}.`,
    tooSmall: ({ amount }) =>
      `Con esta transacción llegaron ${amount}. Es demasiado poco para contar y no cambia nada.`,
    arrived: ({ amount }) => `Con esta transacción llegaron ${amount}; el pago es definitivo.`,
    seen: ({ amount, count, required }) =>
      `Encontramos ${amount}: ${count} de ${required} confirmaciones. Solo hay que esperar un minuto aproximadamente.`,
    seenInPart: ({ amount, count, required }) =>
      `Encontramos ${amount}: ${count} de ${required} confirmaciones.`,
    failedOnChain:
      "Esta transacción falló en la cadena. No movió dinero: lo que envió sigue en su billetera.",
    otherAddress: ({ end }) =>
      `Esta transacción pagó a otra dirección, que termina en ${end}. Nada de ella llegó a esta página.`,
    lookAlike: ({ other, here }) =>
      `Esta transacción pagó a otra dirección que solo se parece a esta: ${other} en lugar de ${here}. Direcciones así se crean para engañar: tome la dirección de esta página, no de su historial.`,
    nothingSent: "Esta transacción no envió nada a la dirección de esta página.",
    otherCoin: ({ amount, currency }) =>
      `Llegaron ${amount}, pero este pago es en ${currency}. No cuentan, pero no se han perdido: escriba a la tienda.`,
    otherToken: ({ currency }) =>
      `Esta transacción envió un token distinto de ${currency}. No cuenta: escriba a la tienda.`,
    notOnTron:
      "Parece un hash de Ethereum (0x…). Este pago es solo en TRON: consulte a la billetera o al exchange desde donde envió.",
    notFound:
      "Aún no se encuentra. Una transacción nueva tarda hasta un minuto en aparecer: revise el ID e inténtelo de nuevo entonces.",
    busy: ({ seconds }) =>
      `En este momento hay muchas consultas: vuelva a intentarlo en ${seconds} segundos. Su pago no se ve afectado.`,
    notAnId:
      "Esto no es un ID de transacción. Tiene 64 caracteres, 0–9 y a–f; también sirve un enlace del explorador que lo contenga.",
  },

  panel: {
    title: "Prueba: pagar desde la billetera de demostración",
    text: "Este cuadro solo existe en una cadena local. Cada botón envía un pago en ella.",
    cases: {
      exact: "Exacto",
      under: "De menos",
      over: "De más",
      twice: "Dos veces",
      wrong_coin: "Moneda equivocada",
      late: "Tarde",
    },
    sent: "Enviado. La página lo muestra en unos segundos.",
    failed: "No se envió.",
  },

  scripts: {
    copied: "Copiado",
    selectToCopy: "Seleccione el texto para copiarlo",
    daysAndHours: ({ days, hours }) => `${days} d y ${hours} h`,
    fiveMinutesLeft: "Quedan 5 minutos para pagar.",
    oneMinuteLeft: "Queda 1 minuto para pagar.",
    walletAsks: "Confirme en su billetera…",
    walletLooks: "Aún no se ve en la cadena. Lo buscamos…",
    walletGone:
      "No llegó a la cadena a tiempo y ya no puede llegar: no se movió dinero. Puede pagar de nuevo.",
    walletRefused: "No se envió nada. ¿Intentar de nuevo?",
    walletOnOtherNetwork: "Su billetera está en otra red.",
  },

  problems: {
    notFound: {
      title: "No encontramos este pago",
      text: "Puede que el enlace esté incompleto: ábralo de nuevo desde la tienda o pida uno nuevo. Hasta entonces, no envíe dinero.",
      more: "¿Ya envió? Mande a la tienda el ID de su transacción: con él puede encontrar su dinero.",
    },
    noPage: {
      title: "Aquí no hay ninguna página",
      text: "Puede que la dirección esté incompleta o mal escrita: abra de nuevo el enlace desde donde lo tiene.",
    },
    tooOften: {
      title: "Un momento, por favor",
      text: "Esta página se abrió muchas veces hace un momento. Volverá por sí sola.",
    },
    noRate: {
      title: "No hay tipo de cambio ahora",
      text: "Por el momento no se puede calcular el importe actual. Esta página vuelve sola: pídalo de nuevo entonces.",
    },
    unavailable: {
      title: "Esta página no está disponible ahora",
      text: "Un pago que ya envió no se pierde: está en la cadena y se encontrará. Esta página vuelve a intentarlo sola.",
    },
  },
};
