import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "fa";

/** Persian. */
export const fa: Translation = {
  language: LANGUAGE,
  name: "فارسی",
  direction: "rtl",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `پرداخت برای ${shop}`,
    payAmount: ({ amount, shop }) => `پرداخت ${amount} · ${shop}`,
    paidTitle: "✓ پرداخت شد",
    receiptTitle: ({ order }) => `رسید ${order}`,
    test: "آزمایشی",
    noCoinValue: "سکه‌های اینجا ارزشی ندارند.",
    keepPhraseSecret:
      "هیچ دریافت‌کنندهٔ پرداختی به عبارت بازیابی کیف پول شما نیاز ندارد. هرگز آن را در هیچ صفحه‌ای وارد نکنید.",
    connectionLost: "ارتباط قطع شد. در حال تلاش دوباره…",
    otherLanguages: "زبان‌های دیگر",
  },
  testNetworks: {
    nile: "شبکهٔ آزمایشی Nile",
    shasta: "شبکهٔ آزمایشی Shasta",
    devnet: "زنجیرهٔ محلی توسعه",
    private: "زنجیرهٔ خصوصی",
  },

  status: {
    awaiting: {
      title: "در انتظار پرداخت شما",
      text: "این صفحه چند ثانیه پس از ارسال خودبه‌خود به‌روز می‌شود.",
    },
    awaitingAny: ({ currency }) => ({
      title: `آمادهٔ دریافت ${currency}`,
      text: "هر مبلغی که می‌خواهید بفرستید. این صفحه چند ثانیه بعد خودبه‌خود به‌روز می‌شود.",
    }),
    standing: ({ currency }) => ({
      title: `آمادهٔ دریافت ${currency}`,
      text: "هر چند بار که بخواهید می‌توانید بفرستید. هر پرداخت چند ثانیه بعد اینجا نمایش داده می‌شود.",
    }),
    lastBlocks: {
      title: "زمان تمام شد؛ در حال بررسی آخرین بلاک‌ها",
      text: "اکنون چیزی نفرستید. اگر به‌موقع فرستاده‌اید، پرداخت شما تا حدود یک دقیقهٔ دیگر اینجا نمایش داده می‌شود.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `${amount} رسید؛ این سفارش با ${currency} است`,
        text: `این مبلغ برای سفارش حساب نمی‌شود، اما گم نشده است: ${shop} می‌تواند آن را پیدا کند. برای پرداخت، ${currency} را به شکل زیر بفرستید.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `${amount} رسید؛ این آدرس فقط برای ${currency} است`,
        text: `این مبلغ پرداخت به حساب نمی‌آید، اما گم نشده است: ${shop} می‌تواند آن را پیدا کند. برای پرداخت، ${currency} را به شکل زیر بفرستید.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `${rest} دیگر باید فرستاده شود`,
      text: `${received} پیدا شد و در حال تأیید است. باقی‌مانده را به همان آدرس بفرستید.`,
      spoken: `${received} پیدا شد. ${rest} دیگر باید به همان آدرس فرستاده شود.`,
    }),
    found: ({ received }) => ({
      title: "پرداخت پیدا شد",
      text: `${received} پیدا شد. شبکه آن را در حدود یک دقیقه تأیید می‌کند. می‌توانید این صفحه را ببندید: چیزی از دست نمی‌رود.`,
      spoken: `${received} پیدا شد. در حال تأیید، حدود یک دقیقه.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "پرداخت پیدا شد",
      text: `${received} همهٔ تأییدها را دارد. به‌محض آنکه شبکه آن را قطعی کند حساب می‌شود، معمولاً در چند ثانیه. می‌توانید این صفحه را ببندید: چیزی از دست نمی‌رود.`,
      spoken: `${received} همهٔ تأییدها را دارد. تا چند ثانیهٔ دیگر قطعی می‌شود.`,
    }),
    foundStuck: ({ received }) => ({
      title: "پرداخت پیدا شد",
      text: `${received} پیدا شد. شبکه کندتر از معمول است. پرداخت شما امن است: فقط کافی است صبر کنید.`,
      spoken: `${received} پیدا شد. شبکه کندتر از معمول است. پرداخت شما امن است.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "پرداخت پیدا شد",
      text: `${received} پیدا شد. شبکه در حال مرتب کردن دوبارهٔ آخرین بلاک‌هاست. لطفاً بار دوم نفرستید.`,
      spoken: `${received} پیدا شد. شبکه در حال مرتب کردن دوبارهٔ آخرین بلاک‌هاست. لطفاً بار دوم نفرستید.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `${rest} کم است`,
      text: `${received} از ${due} رسید. پیش از پایان زمان ${rest} دیگر به همان آدرس بفرستید.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "بخشی پرداخت شد",
      text: `${received} رسید. مبلغ روز باقی‌مانده را بگیرید و به همان آدرس بفرستید.`,
    }),
    smallRest: ({ shop }) =>
      `احتمالاً صرافی کارمزد خود را کم کرده است. این مبلغ برای برداشت از صرافی کم است؟ از کیف پول استفاده کنید یا به ${shop} پیام دهید.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "بخشی پرداخت شد",
      text: `${received} از ${due} رسید؛ ${rest} کم است و زمان تمام شده است. اکنون باقی‌مانده را نفرستید: برای تحویل یا بازپرداخت به ${shop} پیام دهید.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "پرداخت شما دیر رسید",
      text: `${received} سالم رسید، اما پس از بسته شدن این سفارش. ${shop} آن را می‌بیند: برای تحویل یا بازپرداخت به آن‌ها پیام دهید.`,
    }),
    paid: ({ received }) => ({
      title: "پرداخت شد",
      text: `${received} دریافت شد. پرداخت قطعی است.`,
    }),
    paidLate: ({ received }) => ({
      title: "پرداخت شد",
      text: `${received} دریافت شد. پس از پایان زمان رسید و پذیرفته شد. پرداخت قطعی است.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "پرداخت شد",
      text: `${shop} مبلغ ${received} از ${due} را به‌عنوان پرداخت کامل پذیرفت.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "پرداخت دریافت شد",
      text: `تاکنون ${received}. می‌توانید دوباره به این آدرس بفرستید.`,
      spoken: `پرداخت دریافت شد. تاکنون ${received}.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "پرداخت شد",
      text: `${received} دریافت شد، ${surplus} بیشتر از مبلغ خواسته‌شده. ${shop} هم آن را می‌بیند: بازگرداندن آن را بخواهید.`,
    }),
    expired: ({ shop }) => ({
      title: "این پیوند پرداخت منقضی شده است",
      text: `چیزی نرسیده است. اکنون نفرستید: در ${shop} دوباره شروع کنید.`,
      more: "پیش‌تر فرستاده‌اید؟ پول شما گم نشده است. تا چند دقیقهٔ دیگر اینجا نمایش داده می‌شود؛ اگر نشد، تراکنش خود را بررسی کنید.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "این پیوند پرداخت منقضی شده است",
      text: `${amount} رسید، اما این سفارش با ${currency} بود. گم نشده است: ${shop} می‌تواند آن را پیدا کند. اکنون نفرستید.`,
    }),
    closed: ({ shop }) => ({
      title: "این سفارش بسته شده است",
      text: `${shop} آن را پیش از پرداخت بسته است. اکنون نفرستید.`,
      more: `پیش‌تر فرستاده‌اید؟ پول شما گم نشده است: به ${shop} پیام دهید.`,
    }),

    confirmations: "تأییدها",
    confirmationsOf: ({ count, required }) => [count, " از ", required],
    notFinalYet: "در انتظار قطعی شدن در شبکه",
    unmatched: {
      order: ({ amount, currency }) => `${amount} هم رسید. حساب نمی‌شود: این سفارش با ${currency} است.`,
      address: ({ amount, currency }) => `${amount} هم رسید. حساب نمی‌شود: این آدرس فقط برای ${currency} است.`,
    },
  },

  summary: {
    amount: "مبلغ",
    amountToSend: "مبلغ ارسالی",
    stillToSend: "باقی‌مانده برای ارسال",
    amountSent: "مبلغ فرستاده‌شده",
    amountReceived: "مبلغ دریافت‌شده",
    youChoose: "مبلغ را شما انتخاب می‌کنید",
    inCurrency: ({ currency }) => `با ${currency}`,
    copyAmount: { shown: "کپی", hidden: "مبلغ" },
    order: "سفارش",
    price: "قیمت",
    rate: "نرخ",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "کارمزد شبکه و خدمات",
    totalDue: "مبلغ کل برای ارسال",
    received: "دریافت‌شده",
    receivedAt: "زمان دریافت",
    network: "شبکه",
    testNetwork: "آزمایشی",
    timeToPay: "مهلت پرداخت",
    heldFor: ({ left }) => `قیمت تا ${left} دیگر ثابت است`,
    heldUntil: ({ time }) => `قیمت تا ${time} ثابت است`,
    heldNoLonger: "قیمت دیگر ثابت نیست",
    todaysAmount: "گرفتن مبلغ روز",
    alreadySent: ({ time }) => ["فرستاده‌اید؟ اگر پیش از ", time, " فرستاده شده باشد، حساب می‌شود."],
    until: ({ time }) => `تا ${time}`,
  },

  payment: {
    qrCode: "کد QR آدرس",
    showQrCode: "نمایش کد QR برای دستگاه دیگر",
    toAddress: "به این آدرس",
    copyAddress: { shown: "کپی آدرس" },
    payWithWallet: "پرداخت با TronLink",
    sendOnly: ({ coin }) => ["فقط ", coin, "."],
    otherNetworks: {
      token: "در هر شبکهٔ دیگر (Ethereum ERC-20، BNB BEP-20، Solana…) پول نمی‌رسد و ممکن است از دست برود.",
      native: "در هر شبکهٔ دیگر پول نمی‌رسد و ممکن است از دست برود.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} روی شبکهٔ TRON (TRC-20)`,
      native: ({ coin }) => `${coin} روی شبکهٔ TRON`,
    },
    fromExchange: "از صرافی پرداخت می‌کنید؟",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "مبلغی را وارد کنید که پس از کسر کارمزد برداشت (اغلب حدود ",
        fee,
        ") ",
        amount,
        " به ما برسد.",
      ],
      unnamedFee: ({ amount }) => ["مبلغی را وارد کنید که پس از کسر کارمزد برداشت ", amount, " به ما برسد."],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { one: "پرداخت شما", other: "پرداخت‌های شما" }),
    confirming: "در حال تأیید",
    confirmed: "تأیید شد",
    confirmedLate: "تأیید شد، دیرهنگام",
    failed: "ناموفق",
    doesNotCount: "حساب نمی‌شود",
    transaction: ({ id }) => `تراکنش ${id} در مرورگر بلاک‌چین`,
    transactionId: "تراکنش",
    copyTransaction: { shown: "کپی", hidden: "شناسهٔ تراکنش" },
    from: "از",
    explorer: "مرورگر بلاک‌چین",
    print: "چاپ رسید",
  },

  exit: {
    backTo: ({ shop }) => ["بازگشت به ", shop],
    leavingIn: ({ host, seconds }) => ["تا ", seconds, " ثانیهٔ دیگر به ", host, " می‌روید."],
    stay: "همین‌جا بمانید",
    stays: "این صفحه باز می‌ماند.",
    cancel: ({ host }) => `لغو و بازگشت به ${host}`,
  },

  receipt: {
    title: "رسید",
    paidTo: "پرداخت‌شده به",
    contact: "تماس",
    page: "صفحهٔ پرداخت",
    noValue: "بدون ارزش",
  },

  contact: {
    none: ({ shop }) => `${shop} اینجا راه تماسی نگذاشته است: از همان جایی بپرسید که سفارش داده‌اید.`,
    link: {
      help: ({ shop }) => `پیام به ${shop}`,
      refund: ({ shop }) => `درخواست بازپرداخت از ${shop}`,
    },
    mail: {
      order: ({ order }) => `سفارش ${order}`,
      payment: ({ shop }) => `پرداخت من به ${shop}`,
      page: ({ page }) => `صفحهٔ پرداخت: ${page}`,
      address: ({ address }) => `آدرس: ${address}`,
      transaction: ({ id }) => `تراکنش: ${id}`,
      received: ({ received }) => `دریافت‌شده: ${received}`,
      receivedOf: ({ received, due }) => `دریافت‌شده: ${received} از ${due}`,
    },
  },

  lookup: {
    title: "پرداخت کرده‌ام، اما نمایش داده نمی‌شود",
    label: "شناسهٔ تراکنش یا پیوند مرورگر بلاک‌چین",
    hint: "کیف پول یا صرافی آن را با نام TxID یا hash نشان می‌دهد: 64 نویسه از رقم‌های 0 تا 9 و حرف‌های a تا f.",
    check: "بررسی",
    failed: "اکنون بررسی ممکن نشد. لطفاً یک دقیقهٔ دیگر دوباره تلاش کنید.",
    counted: ({ amount }) => `با این تراکنش ${amount} رسید؛ قطعی است و حساب شده است. لازم نیست کاری بکنید.`,
    arrived: ({ amount }) => `با این تراکنش ${amount} رسید و قطعی است.`,
    seen: ({ amount, count, required }) =>
      `${amount} پیدا شد: ${count} از ${required} تأیید. فقط کافی است حدود یک دقیقه صبر کنید.`,
    seenInPart: ({ amount, count, required }) => `${amount} پیدا شد: ${count} از ${required} تأیید.`,
    failedOnChain: "این تراکنش روی زنجیره ناموفق بود. پولی جابه‌جا نشد: آنچه فرستادید هنوز در کیف پول شماست.",
    otherAddress: ({ end }) =>
      `این تراکنش به آدرس دیگری پرداخت کرده است که به ${end} ختم می‌شود. چیزی از آن به این صفحه نرسید.`,
    lookAlike: ({ other, here }) =>
      `این تراکنش به آدرس دیگری پرداخت کرده است که فقط شبیه این آدرس است: ${other} به‌جای ${here}. چنین آدرس‌هایی برای فریب ساخته می‌شوند: آدرس را از این صفحه بردارید، نه از تاریخچهٔ خود.`,
    nothingSent: "این تراکنش چیزی به آدرس این صفحه نفرستاده است.",
    otherCoin: ({ amount, currency }) =>
      `${amount} رسید، اما این پرداخت با ${currency} است. حساب نمی‌شود، اما گم نشده است: به فروشگاه پیام دهید.`,
    otherToken: ({ currency }) =>
      `این تراکنش توکن دیگری به‌جز ${currency} فرستاده است. حساب نمی‌شود: به فروشگاه پیام دهید.`,
    notOnTron:
      "این به hash شبکهٔ Ethereum می‌ماند (0x…). این پرداخت فقط روی TRON است: از کیف پول یا صرافی که از آن فرستاده‌اید بپرسید.",
    notFound:
      "هنوز پیدا نشد. نمایش تراکنش تازه تا یک دقیقه طول می‌کشد: شناسه را بررسی و سپس دوباره تلاش کنید.",
    busy: ({ seconds }) =>
      `اکنون درخواست‌ها زیاد است: لطفاً ${seconds} ثانیهٔ دیگر دوباره تلاش کنید. این بر پرداخت شما اثری ندارد.`,
    notAnId:
      "این شناسهٔ تراکنش نیست. شناسه 64 نویسه دارد، از رقم‌های 0 تا 9 و حرف‌های a تا f؛ پیوندی از مرورگر بلاک‌چین که آن را دارد نیز پذیرفته است.",
  },

  panel: {
    title: "آزمایش: پرداخت از کیف پول نمایشی",
    text: "این کادر فقط روی زنجیرهٔ محلی هست. هر دکمه یک پرداخت روی آن می‌فرستد.",
    cases: {
      exact: "دقیق",
      under: "کمتر",
      over: "بیشتر",
      twice: "دو بار",
      wrong_coin: "سکهٔ اشتباه",
      late: "دیرهنگام",
    },
    sent: "فرستاده شد. صفحه تا چند ثانیهٔ دیگر به‌روز می‌شود.",
    failed: "فرستاده نشد.",
  },

  scripts: {
    copied: "کپی شد",
    selectToCopy: "برای کپی، متن را انتخاب کنید",
    daysAndHours: ({ days, hours }) => `${days} روز ${hours} ساعت`,
    fiveMinutesLeft: "5 دقیقه تا پایان مهلت پرداخت مانده است.",
    oneMinuteLeft: "1 دقیقه تا پایان مهلت پرداخت مانده است.",
    walletAsks: "در کیف پول خود تأیید کنید…",
    walletSigned: "امضا شد. روی زنجیره به دنبال آن می‌گردیم…",
    walletGone: "به‌موقع به زنجیره نرسید و دیگر نمی‌تواند برسد: پولی جابه‌جا نشد. می‌توانید دوباره پرداخت کنید.",
    walletRefused: "چیزی فرستاده نشد. دوباره تلاش می‌کنید؟",
    walletOnOtherNetwork: "کیف پول شما روی شبکهٔ دیگری است.",
  },

  problems: {
    notFound: {
      title: "این پرداخت را پیدا نمی‌کنیم",
      text: "شاید پیوند ناقص باشد: آن را دوباره از فروشگاه باز کنید یا از فروشگاه پیوند تازه بخواهید. تا آن زمان پول نفرستید.",
      more: "پیش‌تر فرستاده‌اید؟ شناسهٔ تراکنش را به فروشگاه بفرستید: با آن می‌تواند پول شما را پیدا کند.",
    },
    noPage: {
      title: "اینجا صفحه‌ای نیست",
      text: "شاید نشانی ناقص یا اشتباه باشد: پیوند را دوباره از همان جا که دارید باز کنید.",
    },
    tooOften: {
      title: "یک لحظه صبر کنید",
      text: "این صفحه هم‌اکنون بسیار باز شده است. خودش برمی‌گردد.",
    },
    noRate: {
      title: "اکنون نرخی در دست نیست",
      text: "مبلغ روز را اکنون نمی‌توان حساب کرد. این صفحه خودش برمی‌گردد: آن‌گاه دوباره بخواهید.",
    },
    unavailable: {
      title: "این صفحه اکنون در دسترس نیست",
      text: "پرداختی که فرستاده‌اید گم نمی‌شود: روی زنجیره است و پیدا خواهد شد. این صفحه خودش دوباره تلاش می‌کند.",
    },
  },
};
