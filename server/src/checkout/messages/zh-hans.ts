import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "zh-Hans";

/** Simplified Chinese. */
export const zhHans: Translation = {
  language: LANGUAGE,
  name: "简体中文",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `向 ${shop} 的付款`,
    payAmount: ({ amount, shop }) => `支付 ${amount} · ${shop}`,
    paidTitle: "✓ 已付款",
    receiptTitle: ({ order }) => `收据 ${order}`,
    test: "测试",
    noCoinValue: "此处的币没有任何价值。",
    keepPhraseSecret: "收款方绝不需要您钱包的助记词。切勿在任何网页上输入助记词。",
    connectionLost: "连接已断开，正在重试…",
    otherLanguages: "其他语言",
    otherPage: "打开此订单的另一页面",
  },
  testNetworks: {
    nile: "Nile 测试网络",
    shasta: "Shasta 测试网络",
    devnet: "本地开发链",
    private: "私有链",
  },

  status: {
    awaiting: {
      title: "等待您付款",
      text: "您转账后几秒钟，本页面会自动更新。",
    },
    awaitingAny: ({ currency }) => ({
      title: `可以接收 ${currency}`,
      text: "金额由您决定。转账后几秒钟，本页面会自动更新。",
    }),
    standing: ({ currency }) => ({
      title: `可以接收 ${currency}`,
      text: "您可以多次转账。每笔付款几秒钟后会显示在这里。",
    }),
    lastBlocks: {
      title: "付款时间已到，正在核对最后的区块",
      text: "请勿再转账。如果您已及时转账，付款会在约一分钟内显示在这里。",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `收到 ${amount}，但此订单以 ${currency} 结算`,
        text: `这笔款项不计入订单，但没有丢失：${shop} 可以查到。请按下方说明支付 ${currency}。`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `收到 ${amount}，但此地址只收 ${currency}`,
        text: `这笔款项不算作付款，但没有丢失：${shop} 可以查到。请按下方说明支付 ${currency}。`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `还需支付 ${rest}`,
      text: `已发现 ${received}，正在确认。请将余款转到同一地址。`,
      spoken: `已发现 ${received}。还需向同一地址支付 ${rest}。`,
    }),
    found: ({ received }) => ({
      title: "已发现付款",
      text: `已发现 ${received}。网络大约需要一分钟来确认。您可以关闭本页面，不会有任何损失。`,
      spoken: `已发现 ${received}。正在确认，大约需要一分钟。`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "已发现付款",
      text: `${received} 的确认数已足够。网络将其最终确定后即生效，通常只需几秒钟。您可以关闭本页面，不会有任何损失。`,
      spoken: `${received} 的确认数已足够，几秒钟后最终生效。`,
    }),
    foundStuck: ({ received }) => ({
      title: "已发现付款",
      text: `已发现 ${received}。网络比平时慢。您的付款是安全的，只需等待即可。`,
      spoken: `已发现 ${received}。网络比平时慢。您的付款是安全的。`,
    }),
    foundInReorg: ({ received }) => ({
      title: "已发现付款",
      text: `已发现 ${received}。网络正在重新整理最后的区块。请勿重复转账。`,
      spoken: `已发现 ${received}。网络正在整理最后的区块。请勿重复转账。`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `还差 ${rest}`,
      text: `已收到 ${received}，应付 ${due}。请在时间结束前再向同一地址转 ${rest}。`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "部分付款",
      text: `已收到 ${received}。请获取余款的最新金额，再转到同一地址。`,
    }),
    smallRest: ({ shop }) =>
      `可能是交易所扣除了手续费。金额低于交易所的提币下限？请使用钱包，或联系 ${shop}。`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "部分付款",
      text: `已收到 ${received}，应付 ${due}，还差 ${rest}，但付款时间已到。请勿再转余款，请联系 ${shop} 发货或退款。`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "您的付款到得太晚",
      text: `${received} 已安全到账，但此订单当时已关闭。${shop} 可以看到这笔款项，请联系对方发货或退款。`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "您的部分付款到得太晚",
      text: `${received} 按时到账，${late} 在此订单关闭后才到账。请联系 ${shop} 发货或退款。`,
    }),
    continued: {
      title: "此订单在另一页面继续",
      text: "请勿再向本页面转账。另一页面会显示还需支付的金额。",
    },
    paidByRest: ({ received, rest }) => ({
      title: "已付款",
      text: `本页面已收到 ${received}，此订单的另一页面已收到 ${rest}。付款已最终完成。`,
    }),
    paid: ({ received }) => ({
      title: "已付款",
      text: `已收到 ${received}。付款已最终完成。`,
    }),
    paidLate: ({ received }) => ({
      title: "已付款",
      text: `已收到 ${received}。款项在时间结束后到达，但已被接受。付款已最终完成。`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "已付款",
      text: `${shop} 已接受以 ${received}（应付 ${due}）作为全额付款。`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "已收到付款",
      text: `目前共收到 ${received}。您可以再次向此地址转账。`,
      spoken: `已收到付款。目前共 ${received}。`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "已付款",
      text: `已收到 ${received}，比应付金额多 ${surplus}。${shop} 也能看到，您可以要求退还。`,
    }),
    expired: ({ shop }) => ({
      title: "此付款链接已过期",
      text: `没有收到任何款项。请勿再转账，请回到 ${shop} 重新开始。`,
      more: "已经转账了？您的钱没有丢失。几分钟内会显示在这里；如果没有，请核对您的交易。",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "此付款链接已过期",
      text: `收到 ${amount}，但此订单以 ${currency} 结算。款项没有丢失：${shop} 可以查到。请勿再转账。`,
    }),
    closed: ({ shop }) => ({
      title: "此订单已关闭",
      text: `${shop} 在付款前关闭了此订单。请勿再转账。`,
      more: `已经转账了？您的钱没有丢失，请联系 ${shop}。`,
    }),

    confirmations: "确认数",
    confirmationsOf: ({ count, required }) => [count, " 次，共需 ", required, " 次"],
    notFinalYet: "等待网络最终确定",
    unmatched: {
      order: ({ amount, currency }) => `另外收到 ${amount}。不计入付款：此订单以 ${currency} 结算。`,
      address: ({ amount, currency }) => `另外收到 ${amount}。不计入付款：此地址只收 ${currency}。`,
    },
  },

  summary: {
    amount: "金额",
    amountToSend: "应付金额",
    stillToSend: "还需支付",
    amountSent: "已转金额",
    amountReceived: "已收金额",
    youChoose: "金额由您决定",
    inCurrency: ({ currency }) => `以 ${currency} 支付`,
    copyAmount: { shown: "复制", hidden: "金额" },
    order: "订单",
    price: "价格",
    rate: "汇率",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "网络费和服务费",
    totalDue: "应付总额",
    received: "已收到",
    receivedAt: "到账时间",
    network: "网络",
    testNetwork: "测试",
    timeToPay: "剩余付款时间",
    heldFor: ({ left }) => `价格保留 ${left}`,
    heldUntil: ({ time }) => `价格保留至 ${time}`,
    heldNoLonger: "价格已不再保留",
    todaysAmount: "获取最新金额",
    alreadySent: ({ time }) => ["已经转账了？", time, " 之前转出的仍然有效。"],
    until: ({ time }) => `截至 ${time}`,
  },

  payment: {
    qrCode: "地址二维码",
    showQrCode: "显示二维码，供其他设备扫描",
    toAddress: "收款地址",
    copyAddress: { shown: "复制地址" },
    payWithWallet: "用 TronLink 支付",
    sendOnly: ({ coin }) => ["仅限 ", coin, "。"],
    otherNetworks: {
      token: "如使用其他网络（Ethereum ERC-20、BNB BEP-20、Solana 等），款项将无法到账，并可能丢失。",
      native: "如使用其他网络，款项将无法到账，并可能丢失。",
    },
    coinOf: {
      token: ({ coin }) => `TRON 网络的 ${coin} (TRC-20)`,
      native: ({ coin }) => `TRON 网络的 ${coin}`,
    },
    fromExchange: "从交易所付款？",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "请填写提币数量，使扣除提币手续费（通常约 ",
        fee,
        "）后我们实际收到 ",
        amount,
        "。",
      ],
      unnamedFee: ({ amount }) => ["请填写提币数量，使扣除提币手续费后我们实际收到 ", amount, "。"],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { other: "您的付款" }),
    confirming: "确认中",
    confirmed: "已确认",
    confirmedLate: "已确认，逾期",
    failed: "失败",
    doesNotCount: "不计入",
    tiny: (count) => `他人的极小额转账：${count} 笔`,
    transaction: ({ id }) => `在区块浏览器中查看交易 ${id}`,
    transactionId: "交易",
    copyTransaction: { shown: "复制", hidden: "交易 ID" },
    from: "付款地址",
    explorer: "区块浏览器",
    print: "打印收据",
  },

  exit: {
    backTo: ({ shop }) => ["返回 ", shop],
    leavingIn: ({ host, seconds }) => ["即将前往 ", host, "，剩余 ", seconds, " 秒。"],
    stay: "留在此页",
    stays: "本页面会保持打开。",
    cancel: ({ host }) => `取消并返回 ${host}`,
  },

  receipt: {
    title: "收据",
    paidTo: "收款地址",
    contact: "联系方式",
    page: "付款页面",
    noValue: "无价值",
  },

  contact: {
    none: ({ shop }) => `${shop} 没有在这里留下联系方式：请到您下单的地方询问。`,
    link: {
      help: ({ shop }) => `联系 ${shop}`,
      refund: ({ shop }) => `请 ${shop} 退款`,
    },
    mail: {
      order: ({ order }) => `订单 ${order}`,
      payment: ({ shop }) => `我向 ${shop} 的付款`,
      page: ({ page }) => `付款页面：${page}`,
      address: ({ address }) => `地址：${address}`,
      transaction: ({ id }) => `交易：${id}`,
      received: ({ received }) => `已收到：${received}`,
      receivedOf: ({ received, due }) => `已收到：${received}，应付：${due}`,
    },
  },

  lookup: {
    title: "我已付款，但没有显示",
    label: "交易 ID 或区块浏览器链接",
    hint: "钱包或交易所会显示为 TxID 或哈希：64 个字符，由 0–9 和 a–f 组成。",
    check: "查询",
    failed: "暂时无法查询。请一分钟后再试。",
    counted: ({ amount }) => `此交易的 ${amount} 已到账，已最终确认并计入。您无需再做任何事。`,
    countedBefore: ({ amount, rest }) =>
      `此交易的 ${amount} 已到账，并已计入此订单。本页面只收余款：${rest}。`,
    tooSmall: ({ amount }) => `此交易的 ${amount} 已到账。金额过小，不予计入，也不会改变任何状态。`,
    arrived: ({ amount }) => `此交易的 ${amount} 已到账，并已最终确认。`,
    seen: ({ amount, count, required }) =>
      `已发现 ${amount}：${count} 次确认，共需 ${required} 次。只需等待大约一分钟。`,
    seenInPart: ({ amount, count, required }) => `已发现 ${amount}：${count} 次确认，共需 ${required} 次。`,
    failedOnChain: "此交易在链上失败，没有转走任何资金：您的币仍在您的钱包里。",
    otherAddress: ({ end }) => `此交易付到了另一个地址，末尾为 ${end}。没有任何款项到达本页面的地址。`,
    lookAlike: ({ other, here }) =>
      `此交易付到了另一个只是看起来相似的地址：${other}，而不是 ${here}。这类地址是为了骗人而制作的：请使用本页面的地址，不要从历史记录中复制。`,
    nothingSent: "此交易没有向本页面的地址转账。",
    otherCoin: ({ amount, currency }) =>
      `收到 ${amount}，但此付款以 ${currency} 结算。不计入付款，但没有丢失：请联系商家。`,
    otherToken: ({ currency }) => `此交易转的是其他代币，不是 ${currency}。不计入付款：请联系商家。`,
    notOnTron:
      "这看起来像 Ethereum 的哈希 (0x…)。此付款只在 TRON 网络上进行：请询问您转出时使用的钱包或交易所。",
    notFound: "尚未找到。新交易最多需要一分钟才会显示：请核对 ID，稍后再试。",
    busy: ({ seconds }) => `目前查询过多：请在 ${seconds} 秒后重试。您的付款不受影响。`,
    notAnId: "这不是交易 ID。交易 ID 有 64 个字符，由 0–9 和 a–f 组成；含有它的区块浏览器链接也可以。",
  },

  panel: {
    title: "测试：用演示钱包付款",
    text: "此框只出现在本地链上。每个按钮都会在链上发出一笔付款。",
    cases: {
      exact: "正好",
      under: "偏少",
      over: "偏多",
      twice: "两次",
      wrong_coin: "错误的币种",
      late: "逾期",
    },
    sent: "已发送。页面几秒钟后会更新。",
    failed: "没有发送成功。",
  },

  scripts: {
    copied: "已复制",
    selectToCopy: "请选中文字后复制",
    daysAndHours: ({ days, hours }) => `${days} 天 ${hours} 小时`,
    fiveMinutesLeft: "付款时间还剩 5 分钟。",
    oneMinuteLeft: "付款时间还剩 1 分钟。",
    walletAsks: "请在钱包中确认…",
    walletLooks: "链上尚未看到。正在查找…",
    walletGone: "它没有及时上链，也不会再上链：没有转走任何资金。您可以重新付款。",
    walletRefused: "没有转账。要重试吗？",
    walletOnOtherNetwork: "您的钱包使用的是其他网络。",
  },

  problems: {
    notFound: {
      title: "找不到此付款",
      text: "链接可能不完整：请从商家处重新打开，或向商家索取新链接。在此之前请勿转账。",
      more: "已经转账了？请把交易 ID 发给商家，商家可以据此找到您的款项。",
    },
    noPage: {
      title: "这里没有页面",
      text: "地址可能不完整或输入有误：请从原处重新打开链接。",
    },
    tooOften: {
      title: "请稍候",
      text: "此页面刚才被打开得过于频繁。稍后会自动恢复。",
    },
    noRate: {
      title: "暂时没有汇率",
      text: "目前无法计算最新金额。本页面会自动恢复，届时请再次获取。",
    },
    unavailable: {
      title: "此页面暂时无法使用",
      text: "您已转出的款项不会丢失：它在链上，会被找到。本页面会自动重试。",
    },
  },
};
