import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "ar";

/** Arabic. */
export const ar: Translation = {
  language: LANGUAGE,
  name: "العربية",
  direction: "rtl",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `دفعة إلى ${shop}`,
    payAmount: ({ amount, shop }) => `ادفع ${amount} · ${shop}`,
    paidTitle: "✓ تم الدفع",
    receiptTitle: ({ order }) => `إيصال ${order}`,
    test: "تجربة",
    noCoinValue: "العملات هنا بلا قيمة.",
    keepPhraseSecret: "لا يحتاج أي مستلم للدفعات إلى عبارة استرداد محفظتك. لا تكتبها أبدًا في أي صفحة.",
    connectionLost: "انقطع الاتصال. جارٍ إعادة المحاولة…",
    otherLanguages: "لغات أخرى",
    otherPage: "افتح الصفحة الأخرى لهذا الطلب",
  },
  testNetworks: {
    nile: "شبكة Nile التجريبية",
    shasta: "شبكة Shasta التجريبية",
    devnet: "سلسلة تطوير محلية",
    private: "سلسلة خاصة",
  },

  status: {
    awaiting: {
      title: "في انتظار دفعتك",
      text: "تتحدّث هذه الصفحة تلقائيًا بعد ثوانٍ من الإرسال.",
    },
    awaitingAny: ({ currency }) => ({
      title: `جاهز لاستلام ${currency}`,
      text: "أرسل المبلغ الذي تريده. تتحدّث هذه الصفحة تلقائيًا بعد ثوانٍ.",
    }),
    standing: ({ currency }) => ({
      title: `جاهز لاستلام ${currency}`,
      text: "يمكنك الإرسال أي عدد من المرات. تظهر كل دفعة هنا بعد ثوانٍ.",
    }),
    lastBlocks: {
      title: "انتهى الوقت؛ جارٍ فحص آخر الكتل",
      text: "لا ترسل الآن. إذا أرسلت في الوقت المحدد فستظهر دفعتك هنا خلال دقيقة تقريبًا.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `وصل ${amount}؛ هذا الطلب بعملة ${currency}`,
        text: `لا يُحتسب هذا المبلغ من الطلب لكنه لم يضِع: يستطيع ${shop} العثور عليه. للدفع أرسل ${currency} كما هو موضح أدناه.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `وصل ${amount}؛ هذا العنوان مخصص لعملة ${currency}`,
        text: `لا يُحتسب هذا المبلغ دفعةً لكنه لم يضِع: يستطيع ${shop} العثور عليه. للدفع أرسل ${currency} كما هو موضح أدناه.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `بقي إرسال ${rest}`,
      text: `عُثر على ${received} ويجري تأكيده. أرسل الباقي إلى العنوان نفسه.`,
      spoken: `عُثر على ${received}. بقي إرسال ${rest} إلى العنوان نفسه.`,
    }),
    found: ({ received }) => ({
      title: "تم العثور على الدفعة",
      text: `عُثر على ${received}. تؤكده الشبكة خلال دقيقة تقريبًا. يمكنك إغلاق هذه الصفحة: لن يضيع شيء.`,
      spoken: `عُثر على ${received}. جارٍ التأكيد، نحو دقيقة.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "تم العثور على الدفعة",
      text: `حصل ${received} على كل التأكيدات. يُحتسب فور أن تجعله الشبكة نهائيًا، عادةً خلال ثوانٍ. يمكنك إغلاق هذه الصفحة: لن يضيع شيء.`,
      spoken: `حصل ${received} على كل التأكيدات. يصبح نهائيًا خلال ثوانٍ.`,
    }),
    foundStuck: ({ received }) => ({
      title: "تم العثور على الدفعة",
      text: `عُثر على ${received}. الشبكة أبطأ من المعتاد. دفعتك في أمان: ما عليك سوى الانتظار.`,
      spoken: `عُثر على ${received}. الشبكة أبطأ من المعتاد. دفعتك في أمان.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "تم العثور على الدفعة",
      text: `عُثر على ${received}. تعيد الشبكة ترتيب كتلها الأخيرة. يُرجى عدم الإرسال مرة ثانية.`,
      spoken: `عُثر على ${received}. تعيد الشبكة ترتيب كتلها الأخيرة. يُرجى عدم الإرسال مرة ثانية.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `ينقص ${rest}`,
      text: `وصل ${received} من أصل ${due}. أرسل ${rest} أخرى إلى العنوان نفسه قبل انتهاء الوقت.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "مدفوع جزئيًا",
      text: `وصل ${received}. احصل على المبلغ الحالي للباقي ثم أرسله إلى العنوان نفسه.`,
    }),
    smallRest: ({ shop }) =>
      `على الأرجح اقتطعت منصة التداول رسومها. المبلغ أصغر مما تسمح به منصة التداول؟ استخدم محفظة أو راسل ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "مدفوع جزئيًا",
      text: `وصل ${received} من أصل ${due}؛ ينقص ${rest} وقد انتهى الوقت. لا ترسل الباقي الآن: راسل ${shop} لتسليم الطلب أو رد المبلغ.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "وصلت دفعتك متأخرة",
      text: `وصل ${received} بأمان، لكن بعد إغلاق هذا الطلب. يرى ${shop} الدفعة: راسلهم لتسليم الطلب أو رد المبلغ.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "وصل جزء من دفعتك متأخرًا",
      text: `وصل ${received} في الوقت المحدد، و ${late} بعد إغلاق هذا الطلب. راسل ${shop} لتسليم الطلب أو رد المبلغ.`,
    }),
    continued: {
      title: "يستمر هذا الطلب في صفحة أخرى",
      text: "لا ترسل شيئًا بعد الآن إلى هذه الصفحة. الصفحة الأخرى تعرض ما بقي للدفع.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "تم الدفع",
      text: `وصل ${received} هنا، و ${rest} عبر صفحة أخرى لهذا الطلب. الدفعة نهائية.`,
    }),
    paid: ({ received }) => ({
      title: "تم الدفع",
      text: `تم استلام ${received}. الدفعة نهائية.`,
    }),
    paidLate: ({ received }) => ({
      title: "تم الدفع",
      text: `تم استلام ${received}. وصل بعد انتهاء الوقت وقُبل. الدفعة نهائية.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "تم الدفع",
      text: `وافق ${shop} على ${received} من أصل ${due} كدفعة كاملة.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "تم استلام الدفعة",
      text: `${received} حتى الآن. يمكنك الإرسال إلى هذا العنوان مرة أخرى.`,
      spoken: `تم استلام الدفعة. ${received} حتى الآن.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "تم الدفع",
      text: `تم استلام ${received}، بزيادة ${surplus} عن المطلوب. يرى ${shop} ذلك أيضًا: اطلب استرداد الزيادة.`,
    }),
    expired: ({ shop }) => ({
      title: "انتهت صلاحية رابط الدفع هذا",
      text: `لم يصل شيء. لا ترسل الآن: ابدأ من جديد لدى ${shop}.`,
      more: "هل أرسلت بالفعل؟ أموالك لم تضِع. ستظهر هنا خلال دقائق؛ وإن لم تظهر فافحص معاملتك.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "انتهت صلاحية رابط الدفع هذا",
      text: `وصل ${amount}، لكن هذا الطلب كان بعملة ${currency}. لم يضِع المبلغ: يستطيع ${shop} العثور عليه. لا ترسل الآن.`,
    }),
    closed: ({ shop }) => ({
      title: "هذا الطلب مغلق",
      text: `أُغلق لدى ${shop} قبل دفعه. لا ترسل الآن.`,
      more: `هل أرسلت بالفعل؟ أموالك لم تضِع: راسل ${shop}.`,
    }),

    confirmations: "التأكيدات",
    confirmationsOf: ({ count, required }) => [count, " من ", required],
    notFinalYet: "في انتظار أن تجعله الشبكة نهائيًا",
    unmatched: {
      order: ({ amount, currency }) => `وصل أيضًا ${amount}. لا يُحتسب: هذا الطلب بعملة ${currency}.`,
      address: ({ amount, currency }) => `وصل أيضًا ${amount}. لا يُحتسب: هذا العنوان مخصص لعملة ${currency}.`,
    },
  },

  summary: {
    amount: "المبلغ",
    amountToSend: "المبلغ المطلوب إرساله",
    stillToSend: "المتبقي للإرسال",
    amountSent: "المبلغ المُرسل",
    amountReceived: "المبلغ المستلم",
    youChoose: "أنت تختار المبلغ",
    inCurrency: ({ currency }) => `بعملة ${currency}`,
    copyAmount: { shown: "نسخ", hidden: "المبلغ" },
    order: "الطلب",
    price: "السعر",
    rate: "سعر الصرف",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "رسوم الشبكة والخدمة",
    totalDue: "المطلوب إرساله",
    received: "المستلم",
    receivedAt: "تاريخ الاستلام",
    network: "الشبكة",
    testNetwork: "تجربة",
    timeToPay: "وقت الدفع",
    heldFor: ({ left }) => `السعر محجوز لمدة ${left}`,
    heldUntil: ({ time }) => `السعر محجوز حتى ${time}`,
    heldNoLonger: "لم يعد السعر محجوزًا",
    todaysAmount: "الحصول على المبلغ الحالي",
    alreadySent: ({ time }) => ["هل أرسلت بالفعل؟ تُحتسب الدفعة إذا أُرسلت قبل ", time, "."],
    until: ({ time }) => `حتى ${time}`,
  },

  payment: {
    qrCode: "رمز QR للعنوان",
    showQrCode: "عرض رمز QR لجهاز آخر",
    toAddress: "إلى هذا العنوان",
    copyAddress: { shown: "نسخ العنوان" },
    payWithWallet: "الدفع عبر TronLink",
    sendOnly: ({ coin }) => ["فقط ", coin, "."],
    otherNetworks: {
      token: "عبر أي شبكة أخرى (Ethereum ERC-20 أو BNB BEP-20 أو Solana…) لا تصل الأموال وقد تضيع.",
      native: "عبر أي شبكة أخرى لا تصل الأموال وقد تضيع.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} على شبكة TRON (TRC-20)`,
      native: ({ coin }) => `${coin} على شبكة TRON`,
    },
    fromExchange: "تدفع من منصة تداول؟",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "أدخل مبلغًا بحيث نستلم ",
        amount,
        " بعد خصم رسوم السحب (غالبًا نحو ",
        fee,
        ").",
      ],
      unnamedFee: ({ amount }) => ["أدخل مبلغًا بحيث نستلم ", amount, " بعد خصم رسوم السحب."],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, {
      zero: "دفعاتك",
      one: "دفعتك",
      two: "دفعتاك",
      few: "دفعاتك",
      many: "دفعاتك",
      other: "دفعاتك",
    }),
    confirming: "قيد التأكيد",
    confirmed: "مؤكدة",
    confirmedLate: "مؤكدة، متأخرة",
    failed: "فشلت",
    doesNotCount: "لا تُحتسب",
    tiny: (count) => `تحويلات ضئيلة من آخرين: ${count}`,
    transaction: ({ id }) => `المعاملة ${id} في مستكشف الكتل`,
    transactionId: "المعاملة",
    copyTransaction: { shown: "نسخ", hidden: "معرّف المعاملة" },
    from: "من",
    explorer: "مستكشف الكتل",
    print: "طباعة الإيصال",
  },

  exit: {
    backTo: ({ shop }) => ["العودة إلى ", shop],
    leavingIn: ({ host, seconds }) => ["سننقلك إلى ", host, " خلال ", seconds, " ث."],
    stay: "البقاء هنا",
    stays: "تبقى هذه الصفحة مفتوحة.",
    cancel: ({ host }) => `إلغاء والعودة إلى ${host}`,
  },

  receipt: {
    title: "إيصال",
    paidTo: "دُفع إلى",
    contact: "للتواصل",
    page: "صفحة الدفع",
    noValue: "بلا قيمة",
  },

  contact: {
    none: ({ shop }) => `لا يذكر ${shop} هنا أي وسيلة تواصل: اسأل حيث قدّمت الطلب.`,
    link: {
      help: ({ shop }) => `مراسلة ${shop}`,
      refund: ({ shop }) => `طلب الاسترداد من ${shop}`,
    },
    mail: {
      order: ({ order }) => `الطلب ${order}`,
      payment: ({ shop }) => `دفعتي إلى ${shop}`,
      page: ({ page }) => `صفحة الدفع: ${page}`,
      address: ({ address }) => `العنوان: ${address}`,
      transaction: ({ id }) => `المعاملة: ${id}`,
      received: ({ received }) => `المستلم: ${received}`,
      receivedOf: ({ received, due }) => `المستلم: ${received} من أصل ${due}`,
    },
  },

  lookup: {
    title: "دفعتُ لكن الدفعة لا تظهر",
    label: "معرّف المعاملة أو رابط المستكشف",
    hint: "تعرضه محفظتك أو منصة التداول باسم TxID أو hash: 64 خانة من الأرقام 0 إلى 9 والحروف a إلى f.",
    check: "فحص",
    failed: "تعذّر الفحص الآن. يُرجى المحاولة مجددًا بعد دقيقة.",
    counted: ({ amount }) => `وصل ${amount} بهذه المعاملة، وهو نهائي ومحتسب. ليس عليك فعل شيء.`,
    countedBefore: ({ amount, rest }) =>
      `وصل ${amount} بهذه المعاملة، وهو محسوب لهذا الطلب. تطلب هذه الصفحة الباقي: ${rest}.`,
    tooSmall: ({ amount }) => `وصل ${amount} بهذه المعاملة. المبلغ أصغر من أن يُحتسب، ولا يغيّر شيئًا.`,
    arrived: ({ amount }) => `وصل ${amount} بهذه المعاملة، وهو نهائي.`,
    seen: ({ amount, count, required }) =>
      `عُثر على ${amount}: التأكيدات ${count} من ${required}. ما عليك سوى الانتظار نحو دقيقة.`,
    seenInPart: ({ amount, count, required }) => `عُثر على ${amount}: التأكيدات ${count} من ${required}.`,
    failedOnChain: "فشلت هذه المعاملة على السلسلة. لم تنقل أي أموال: ما أرسلته لا يزال في محفظتك.",
    otherAddress: ({ end }) =>
      `دفعت هذه المعاملة إلى عنوان آخر ينتهي بـ ${end}. لم يصل منها شيء إلى هذه الصفحة.`,
    lookAlike: ({ other, here }) =>
      `دفعت هذه المعاملة إلى عنوان آخر يشبه هذا العنوان فقط: ${other} بدلًا من ${here}. تُصنع مثل هذه العناوين للخداع: خذ العنوان من هذه الصفحة، لا من سجلّك.`,
    nothingSent: "لم ترسل هذه المعاملة شيئًا إلى عنوان هذه الصفحة.",
    otherCoin: ({ amount, currency }) =>
      `وصل ${amount}، لكن هذه الدفعة بعملة ${currency}. لا يُحتسب المبلغ لكنه لم يضِع: راسل المتجر.`,
    otherToken: ({ currency }) => `أرسلت هذه المعاملة رمزًا آخر غير ${currency}. لا يُحتسب: راسل المتجر.`,
    notOnTron:
      "يبدو هذا hash من Ethereum (0x…). هذه الدفعة على شبكة TRON فقط: اسأل المحفظة أو المنصة التي أرسلت منها.",
    notFound: "لم يُعثر عليها بعد. قد تستغرق المعاملة الجديدة حتى دقيقة لتظهر: تحقق من المعرّف ثم حاول مجددًا.",
    busy: ({ seconds }) =>
      `عدد الاستعلامات كبير الآن: يُرجى المحاولة مجددًا بعد ${seconds} ثانية. لا يؤثر ذلك في دفعتك.`,
    notAnId:
      "هذا ليس معرّف معاملة. يتكوّن المعرّف من 64 خانة من الأرقام 0 إلى 9 والحروف a إلى f؛ ويصلح أيضًا رابط من المستكشف يحتويه.",
  },

  panel: {
    title: "تجربة: الدفع من المحفظة التجريبية",
    text: "يوجد هذا المربع على سلسلة محلية فقط. يرسل كل زر دفعة عليها.",
    cases: {
      exact: "المبلغ تمامًا",
      under: "أقل",
      over: "أكثر",
      twice: "مرتين",
      wrong_coin: "عملة خاطئة",
      late: "متأخرة",
    },
    sent: "تم الإرسال. تتحدّث الصفحة خلال ثوانٍ.",
    failed: "لم يتم الإرسال.",
  },

  scripts: {
    copied: "تم النسخ",
    selectToCopy: "حدّد النص لنسخه",
    daysAndHours: ({ days, hours }) => `${days} ي ${hours} س`,
    fiveMinutesLeft: "بقيت 5 دقائق للدفع.",
    oneMinuteLeft: "بقيت دقيقة واحدة للدفع.",
    walletAsks: "أكّد في محفظتك…",
    walletLooks: "لم تُرَ على السلسلة بعد. نبحث عنها…",
    walletGone:
      "لم تصل إلى السلسلة في الوقت ولا يمكنها ذلك بعد الآن: لم تُنقل أي أموال. يمكنك الدفع مرة أخرى.",
    walletRefused: "لم يُرسل شيء. هل تحاول مرة أخرى؟",
    walletOnOtherNetwork: "محفظتك على شبكة أخرى.",
  },

  problems: {
    notFound: {
      title: "تعذّر العثور على هذه الدفعة",
      text: "قد يكون الرابط ناقصًا: افتحه مجددًا من المتجر أو اطلب من المتجر رابطًا جديدًا. وحتى ذلك الحين لا ترسل أموالًا.",
      more: "هل أرسلت بالفعل؟ أرسل معرّف المعاملة إلى المتجر: به يمكنه العثور على أموالك.",
    },
    noPage: {
      title: "لا توجد صفحة هنا",
      text: "قد يكون العنوان ناقصًا أو مكتوبًا خطأً: افتح الرابط مجددًا من حيث حصلت عليه.",
    },
    tooOften: {
      title: "لحظة من فضلك",
      text: "فُتحت هذه الصفحة مرات كثيرة قبل قليل. ستعود تلقائيًا.",
    },
    noRate: {
      title: "لا يوجد سعر صرف الآن",
      text: "لا يمكن حساب المبلغ الحالي في هذه اللحظة. تعود هذه الصفحة تلقائيًا: اطلبه مجددًا عندها.",
    },
    unavailable: {
      title: "هذه الصفحة غير متاحة الآن",
      text: "الدفعة التي أرسلتها لا تضيع: هي على السلسلة وسيُعثر عليها. تعيد هذه الصفحة المحاولة تلقائيًا.",
    },
  },
};
