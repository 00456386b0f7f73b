import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "pt-BR";

/** Portuguese of Brazil. */
export const ptBr: Translation = {
  language: LANGUAGE,
  name: "Português (Brasil)",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `Pagamento a ${shop}`,
    payAmount: ({ amount, shop }) => `Pagar ${amount} · ${shop}`,
    paidTitle: "✓ Pago",
    receiptTitle: ({ order }) => `Recibo ${order}`,
    test: "Teste",
    noCoinValue: "As moedas daqui não têm nenhum valor.",
    keepPhraseSecret:
      "Quem recebe um pagamento nunca precisa da frase de recuperação da sua carteira. Nunca a digite em uma página.",
    connectionLost: "Conexão perdida. Tentando novamente…",
    otherLanguages: "Outros idiomas",
    otherPage: "Abrir a outra página deste pedido",
  },
  testNetworks: {
    nile: "Rede de teste Nile",
    shasta: "Rede de teste Shasta",
    devnet: "Blockchain local de desenvolvimento",
    private: "Blockchain privada",
  },

  status: {
    awaiting: {
      title: "Aguardando seu pagamento",
      text: "Esta página se atualiza sozinha alguns segundos após o envio.",
    },
    awaitingAny: ({ currency }) => ({
      title: `Pronto para receber ${currency}`,
      text: "Envie o quanto quiser. Esta página se atualiza sozinha alguns segundos depois.",
    }),
    standing: ({ currency }) => ({
      title: `Pronto para receber ${currency}`,
      text: "Envie quantas vezes quiser. Cada pagamento aparece aqui alguns segundos depois.",
    }),
    lastBlocks: {
      title: "O tempo acabou; verificando os últimos blocos",
      text: "Não envie agora. Se você enviou a tempo, o pagamento aparece aqui em cerca de um minuto.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `Chegaram ${amount}; este pedido é em ${currency}`,
        text: `O valor não conta para o pedido, mas não foi perdido: ${shop} pode encontrá-lo. Para pagar, envie ${currency} como indicado abaixo.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `Chegaram ${amount}; este endereço é para ${currency}`,
        text: `O valor não conta como pagamento, mas não foi perdido: ${shop} pode encontrá-lo. Para pagar, envie ${currency} como indicado abaixo.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `Ainda falta enviar ${rest}`,
      text: `Encontramos ${received}, em confirmação. Envie o restante para o mesmo endereço.`,
      spoken: `Encontramos ${received}. Ainda falta enviar ${rest} para o mesmo endereço.`,
    }),
    found: ({ received }) => ({
      title: "Pagamento encontrado",
      text: `Encontramos ${received}. A rede confirma em cerca de um minuto. Você pode fechar esta página: nada se perde.`,
      spoken: `Encontramos ${received}. Confirmando, cerca de um minuto.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Pagamento encontrado",
      text: `O pagamento de ${received} tem todas as confirmações. Ele conta assim que a rede o tornar definitivo, em geral em alguns segundos. Você pode fechar esta página: nada se perde.`,
      spoken: `O pagamento de ${received} tem todas as confirmações. Será definitivo em alguns segundos.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Pagamento encontrado",
      text: `Encontramos ${received}. A rede está mais lenta que o normal. Seu pagamento está seguro: basta aguardar.`,
      spoken: `Encontramos ${received}. A rede está mais lenta que o normal. Seu pagamento está seguro.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Pagamento encontrado",
      text: `Encontramos ${received}. A rede está reorganizando os últimos blocos. Por favor, não envie uma segunda vez.`,
      spoken: `Encontramos ${received}. A rede está reorganizando os últimos blocos. Por favor, não envie uma segunda vez.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `Faltam ${rest}`,
      text: `Chegaram ${received} de ${due}. Envie mais ${rest} para o mesmo endereço antes que o tempo acabe.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "Pago em parte",
      text: `Chegaram ${received}. Veja o valor atual do restante e envie-o para o mesmo endereço.`,
    }),
    smallRest: ({ shop }) =>
      `Provavelmente uma corretora descontou a taxa. É pouco para a sua corretora? Use uma carteira ou escreva para ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "Pago em parte",
      text: `Chegaram ${received} de ${due}; faltam ${rest}, e o tempo acabou. Não envie o restante agora: escreva para ${shop} para receber o pedido ou o dinheiro de volta.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Seu pagamento chegou tarde demais",
      text: `${received} chegaram com segurança, mas este pedido já estava fechado. ${shop} vê o pagamento: escreva para receber o pedido ou o dinheiro de volta.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "Parte do seu pagamento chegou tarde demais",
      text: `${received} chegaram a tempo e ${late} depois que este pedido foi fechado. Escreva para ${shop} para receber o pedido ou o dinheiro de volta.`,
    }),
    continued: {
      title: "Este pedido continua em outra página",
      text: "Não envie mais nada para esta página. A outra página mostra o que ainda falta pagar.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "Pago",
      text: `Chegaram ${received} aqui e ${rest} por outra página deste pedido. O pagamento é definitivo.`,
    }),
    paid: ({ received }) => ({
      title: "Pago",
      text: `Recebemos ${received}. O pagamento é definitivo.`,
    }),
    paidLate: ({ received }) => ({
      title: "Pago",
      text: `Recebemos ${received}. Chegou depois do prazo e foi aceito. O pagamento é definitivo.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "Pago",
      text: `${shop} aceitou ${received} de ${due} como pagamento integral.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Pagamento recebido",
      text: `${received} até agora. Você pode enviar para este endereço outra vez.`,
      spoken: `Pagamento recebido. ${received} até agora.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Pago",
      text: `Recebemos ${received}, ${surplus} a mais do que o pedido. ${shop} também vê isso: peça a devolução.`,
    }),
    expired: ({ shop }) => ({
      title: "Este link de pagamento expirou",
      text: `Nada chegou. Não envie agora: comece de novo em ${shop}.`,
      more: "Já enviou? Seu dinheiro não foi perdido. Ele aparece aqui em alguns minutos; se não aparecer, confira sua transação.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "Este link de pagamento expirou",
      text: `Chegaram ${amount}, mas este pedido era em ${currency}. O valor não foi perdido: ${shop} pode encontrá-lo. Não envie agora.`,
    }),
    closed: ({ shop }) => ({
      title: "Este pedido está fechado",
      text: `${shop} fechou o pedido antes do pagamento. Não envie agora.`,
      more: `Já enviou? Seu dinheiro não foi perdido: escreva para ${shop}.`,
    }),

    confirmations: "Confirmações",
    confirmationsOf: ({ count, required }) => [count, " de ", required],
    notFinalYet: "Aguardando a rede torná-lo definitivo",
    unmatched: {
      order: ({ amount, currency }) => `Também chegaram ${amount}. Não contam: este pedido é em ${currency}.`,
      address: ({ amount, currency }) =>
        `Também chegaram ${amount}. Não contam: este endereço é para ${currency}.`,
    },
  },

  summary: {
    amount: "Valor",
    amountToSend: "Valor a enviar",
    stillToSend: "Ainda a enviar",
    amountSent: "Valor enviado",
    amountReceived: "Valor recebido",
    youChoose: "Você escolhe o valor",
    inCurrency: ({ currency }) => `em ${currency}`,
    copyAmount: { shown: "Copiar", hidden: "valor" },
    order: "Pedido",
    price: "Preço",
    rate: "Cotação",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "Taxa de rede e de serviço",
    totalDue: "A enviar",
    received: "Recebido",
    receivedAt: "Recebido em",
    network: "Rede",
    testNetwork: "teste",
    timeToPay: "Tempo para pagar",
    heldFor: ({ left }) => `Preço garantido por ${left}`,
    heldUntil: ({ time }) => `Preço garantido até ${time}`,
    heldNoLonger: "O preço não está mais garantido",
    todaysAmount: "Ver o valor atual",
    alreadySent: ({ time }) => ["Já enviou? O pagamento conta se foi enviado antes das ", time, "."],
    until: ({ time }) => `até ${time}`,
  },

  payment: {
    qrCode: "QR code do endereço",
    showQrCode: "Mostrar QR code para outro aparelho",
    toAddress: "Para este endereço",
    copyAddress: { shown: "Copiar endereço" },
    payWithWallet: "Pagar com TronLink",
    sendOnly: ({ coin }) => ["Somente ", coin, "."],
    otherNetworks: {
      token:
        "Em qualquer outra rede (Ethereum ERC-20, BNB BEP-20, Solana…) o dinheiro não chega e pode ser perdido.",
      native: "Em qualquer outra rede o dinheiro não chega e pode ser perdido.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} na TRON (TRC-20)`,
      native: ({ coin }) => `${coin} na TRON`,
    },
    fromExchange: "Vai pagar por uma corretora?",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "Informe um valor tal que recebamos ",
        amount,
        " depois da taxa de saque (em geral, cerca de ",
        fee,
        ").",
      ],
      unnamedFee: ({ amount }) => [
        "Informe um valor tal que recebamos ",
        amount,
        " depois da taxa de saque.",
      ],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { one: "Seu pagamento", many: "Seus pagamentos", other: "Seus pagamentos" }),
    confirming: "Confirmando",
    confirmed: "Confirmado",
    confirmedLate: "Confirmado, com atraso",
    failed: "Falhou",
    doesNotCount: "Não conta",
    tiny: (count) => `Transferências minúsculas de terceiros: ${count}`,
    transaction: ({ id }) => `Transação ${id} no explorador`,
    transactionId: "Transação",
    copyTransaction: { shown: "Copiar", hidden: "ID da transação" },
    from: "De",
    explorer: "Explorador",
    print: "Imprimir recibo",
  },

  exit: {
    backTo: ({ shop }) => ["Voltar para ", shop],
    leavingIn: ({ host, seconds }) => ["Levando você para ", host, " em ", seconds, " s."],
    stay: "Ficar aqui",
    stays: "Esta página continua aberta.",
    cancel: ({ host }) => `Cancelar e voltar para ${host}`,
  },

  receipt: {
    title: "Recibo",
    paidTo: "Pago ao endereço",
    contact: "Contato",
    page: "Página de pagamento",
    noValue: "sem valor",
  },

  contact: {
    none: ({ shop }) => `${shop} não informa contato aqui: pergunte onde você fez o pedido.`,
    link: {
      help: ({ shop }) => `Escrever para ${shop}`,
      refund: ({ shop }) => `Pedir a devolução a ${shop}`,
    },
    mail: {
      order: ({ order }) => `Pedido ${order}`,
      payment: ({ shop }) => `Meu pagamento a ${shop}`,
      page: ({ page }) => `Página de pagamento: ${page}`,
      address: ({ address }) => `Endereço: ${address}`,
      transaction: ({ id }) => `Transação: ${id}`,
      received: ({ received }) => `Recebido: ${received}`,
      receivedOf: ({ received, due }) => `Recebido: ${received} de ${due}`,
    },
  },

  lookup: {
    title: "Paguei, mas não aparece",
    label: "ID da transação ou link do explorador",
    hint: "Sua carteira ou corretora mostra como TxID ou hash: 64 caracteres, 0–9 e a–f.",
    check: "Verificar",
    failed: "Não foi possível verificar agora. Tente novamente em um minuto.",
    counted: ({ amount }) =>
      `Com esta transação chegaram ${amount}; o pagamento é definitivo e conta. Você não precisa fazer nada.`,
    countedBefore: ({ amount, rest }) =>
      `Com esta transação chegaram ${amount}, que contam para este pedido. Esta página pede o restante: ${rest}.`,
    tooSmall: ({ amount }) =>
      `Com esta transação chegaram ${amount}. É pouco demais para contar e não muda nada.`,
    arrived: ({ amount }) => `Com esta transação chegaram ${amount}; o pagamento é definitivo.`,
    seen: ({ amount, count, required }) =>
      `Encontramos ${amount}: ${count} de ${required} confirmações. Basta aguardar cerca de um minuto.`,
    seenInPart: ({ amount, count, required }) =>
      `Encontramos ${amount}: ${count} de ${required} confirmações.`,
    failedOnChain:
      "Esta transação falhou na blockchain. Nenhum dinheiro foi movido: o que você enviou continua na sua carteira.",
    otherAddress: ({ end }) =>
      `Esta transação pagou outro endereço, que termina em ${end}. Nada dela chegou a esta página.`,
    lookAlike: ({ other, here }) =>
      `Esta transação pagou outro endereço, que só se parece com este: ${other} em vez de ${here}. Endereços assim são feitos para enganar: use o endereço desta página, não o do seu histórico.`,
    nothingSent: "Esta transação não enviou nada para o endereço desta página.",
    otherCoin: ({ amount, currency }) =>
      `Chegaram ${amount}, mas este pagamento é em ${currency}. O valor não conta, mas não foi perdido: escreva para a loja.`,
    otherToken: ({ currency }) =>
      `Esta transação enviou um token diferente de ${currency}. Ele não conta: escreva para a loja.`,
    notOnTron:
      "Isto parece um hash da Ethereum (0x…). Este pagamento é só na TRON: consulte a carteira ou a corretora de onde você enviou.",
    notFound:
      "Ainda não encontrada. Uma transação nova leva até um minuto para aparecer: confira o ID e tente de novo depois.",
    busy: ({ seconds }) =>
      `Há muitas consultas neste momento: tente novamente em ${seconds} segundos. Isso não afeta o seu pagamento.`,
    notAnId:
      "Isto não é um ID de transação. Ele tem 64 caracteres, 0–9 e a–f; um link do explorador que o contenha também serve.",
  },

  panel: {
    title: "Teste: pagar com a carteira de demonstração",
    text: "Este quadro só existe em uma blockchain local. Cada botão envia um pagamento nela.",
    cases: {
      exact: "Exato",
      under: "A menos",
      over: "A mais",
      twice: "Duas vezes",
      wrong_coin: "Moeda errada",
      late: "Atrasado",
    },
    sent: "Enviado. A página mostra em alguns segundos.",
    failed: "Não foi enviado.",
  },

  scripts: {
    copied: "Copiado",
    selectToCopy: "Selecione o texto para copiar",
    daysAndHours: ({ days, hours }) => `${days} d e ${hours} h`,
    fiveMinutesLeft: "Restam 5 minutos para pagar.",
    oneMinuteLeft: "Resta 1 minuto para pagar.",
    walletAsks: "Confirme na sua carteira…",
    walletLooks: "Ainda não vista na blockchain. Procurando…",
    walletGone:
      "Não chegou à blockchain a tempo e já não pode chegar: nenhum dinheiro foi movido. Você pode pagar de novo.",
    walletRefused: "Nada foi enviado. Tentar de novo?",
    walletOnOtherNetwork: "Sua carteira está em outra rede.",
  },

  problems: {
    notFound: {
      title: "Não encontramos este pagamento",
      text: "O link pode estar incompleto: abra-o de novo na loja ou peça um novo. Até lá, não envie dinheiro.",
      more: "Já enviou? Mande o ID da transação para a loja: com ele, ela encontra seu dinheiro.",
    },
    noPage: {
      title: "Não há nenhuma página aqui",
      text: "O endereço pode estar incompleto ou digitado errado: abra o link de novo de onde você o tem.",
    },
    tooOften: {
      title: "Um momento, por favor",
      text: "Esta página foi aberta muitas vezes agora há pouco. Ela volta sozinha.",
    },
    noRate: {
      title: "Sem cotação no momento",
      text: "Não é possível calcular o valor atual agora. Esta página volta sozinha: peça-o de novo então.",
    },
    unavailable: {
      title: "Esta página não está disponível agora",
      text: "Um pagamento que você já enviou não se perde: está na blockchain e será encontrado. Esta página tenta de novo sozinha.",
    },
  },
};
