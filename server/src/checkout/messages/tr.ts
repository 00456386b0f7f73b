import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "tr";

/** Turkish. */
export const tr: Translation = {
  language: LANGUAGE,
  name: "Türkçe",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `${shop} için ödeme`,
    payAmount: ({ amount, shop }) => `Ödenecek: ${amount} · ${shop}`,
    paidTitle: "✓ Ödendi",
    receiptTitle: ({ order }) => `Makbuz ${order}`,
    test: "Deneme",
    noCoinValue: "Buradaki coinlerin hiçbir değeri yoktur.",
    keepPhraseSecret:
      "Ödeme alan hiç kimsenin cüzdanınızın kurtarma kelimelerine ihtiyacı yoktur. Onları hiçbir sayfaya yazmayın.",
    connectionLost: "Bağlantı koptu. Yeniden deneniyor…",
    otherLanguages: "Diğer diller",
    otherPage: "Bu siparişin diğer sayfasını açın",
  },
  testNetworks: {
    nile: "Nile test ağı",
    shasta: "Shasta test ağı",
    devnet: "Yerel geliştirme zinciri",
    private: "Özel zincir",
  },

  status: {
    awaiting: {
      title: "Ödemeniz bekleniyor",
      text: "Gönderdikten birkaç saniye sonra bu sayfa kendiliğinden güncellenir.",
    },
    awaitingAny: ({ currency }) => ({
      title: `${currency} almaya hazır`,
      text: "Dilediğiniz tutarı gönderin. Bu sayfa birkaç saniye sonra kendiliğinden güncellenir.",
    }),
    standing: ({ currency }) => ({
      title: `${currency} almaya hazır`,
      text: "Dilediğiniz kadar sık gönderin. Her ödeme birkaç saniye sonra burada görünür.",
    }),
    lastBlocks: {
      title: "Süre doldu; son bloklar kontrol ediliyor",
      text: "Şimdi göndermeyin. Zamanında gönderdiyseniz ödemeniz yaklaşık bir dakika içinde burada görünür.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `${amount} ulaştı; bu siparişin para birimi ${currency}`,
        text: `Siparişe sayılmaz ama kaybolmadı: ${shop} bulabilir. Ödemek için aşağıda gösterildiği gibi ${currency} gönderin.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `${amount} ulaştı; bu adres yalnızca ${currency} için`,
        text: `Ödeme sayılmaz ama kaybolmadı: ${shop} bulabilir. Ödemek için aşağıda gösterildiği gibi ${currency} gönderin.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `Kalan tutar: ${rest}`,
      text: `${received} bulundu ve onaylanıyor. Kalanı aynı adrese gönderin.`,
      spoken: `${received} bulundu. Aynı adrese gönderilecek kalan tutar: ${rest}.`,
    }),
    found: ({ received }) => ({
      title: "Ödeme bulundu",
      text: `${received} bulundu. Ağ yaklaşık bir dakikada onaylar. Bu sayfayı kapatabilirsiniz: hiçbir şey kaybolmaz.`,
      spoken: `${received} bulundu. Onaylanıyor, yaklaşık bir dakika.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Ödeme bulundu",
      text: `${received} için tüm onaylar tamam. Ağ kesinleştirdiği anda, genellikle birkaç saniye içinde geçerli olur. Bu sayfayı kapatabilirsiniz: hiçbir şey kaybolmaz.`,
      spoken: `${received} için tüm onaylar tamam. Birkaç saniye içinde kesinleşir.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Ödeme bulundu",
      text: `${received} bulundu. Ağ her zamankinden yavaş. Ödemeniz güvende: yalnızca beklemeniz yeterli.`,
      spoken: `${received} bulundu. Ağ her zamankinden yavaş. Ödemeniz güvende.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Ödeme bulundu",
      text: `${received} bulundu. Ağ son bloklarını yeniden sıralıyor. Lütfen ikinci kez göndermeyin.`,
      spoken: `${received} bulundu. Ağ son bloklarını yeniden sıralıyor. Lütfen ikinci kez göndermeyin.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `Eksik tutar: ${rest}`,
      text: `Ulaşan: ${received}, istenen: ${due}. Süre dolmadan aynı adrese ${rest} daha gönderin.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "Kısmen ödendi",
      text: `${received} ulaştı. Kalanın güncel tutarını alın ve aynı adrese gönderin.`,
    }),
    smallRest: ({ shop }) =>
      `Muhtemelen bir borsa ücretini kesti. Borsanız için çok mu az? Bir cüzdan kullanın ya da şuraya yazın: ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "Kısmen ödendi",
      text: `Ulaşan: ${received}, istenen: ${due}; ${rest} eksik ve süre doldu. Kalanı şimdi göndermeyin; teslimat ya da iade için şuraya yazın: ${shop}.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Ödemeniz çok geç geldi",
      text: `${received} sorunsuz ulaştı, ancak bu sipariş kapanmıştı. ${shop} ödemeyi görüyor: teslimat ya da iade için kendilerine yazın.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "Ödemenizin bir kısmı çok geç geldi",
      text: `${received} zamanında, ${late} ise bu sipariş kapandıktan sonra ulaştı. Teslimat ya da iade için şuraya yazın: ${shop}.`,
    }),
    continued: {
      title: "Bu sipariş başka bir sayfada sürüyor",
      text: "Bu sayfaya artık bir şey göndermeyin. Ödenecek tutarı diğer sayfa gösterir.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "Ödendi",
      text: `Buraya ${received}, bu siparişin başka bir sayfasına ${rest} ulaştı. Ödeme kesinleşti.`,
    }),
    paid: ({ received }) => ({
      title: "Ödendi",
      text: `${received} alındı. Ödeme kesinleşti.`,
    }),
    paidLate: ({ received }) => ({
      title: "Ödendi",
      text: `${received} alındı. Süre dolduktan sonra geldi ve kabul edildi. Ödeme kesinleşti.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "Ödendi",
      text: `${shop}, istenen ${due} için ${received} tutarını tam ödeme olarak kabul etti.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Ödeme alındı",
      text: `Şimdiye kadar ${received}. Bu adrese yeniden gönderebilirsiniz.`,
      spoken: `Ödeme alındı. Şimdiye kadar ${received}.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Ödendi",
      text: `${received} alındı; istenenden ${surplus} fazla. ${shop} bunu görüyor: fazlasını geri isteyin.`,
    }),
    expired: ({ shop }) => ({
      title: "Bu ödeme bağlantısının süresi doldu",
      text: `Hiçbir ödeme ulaşmadı. Şimdi göndermeyin; yeniden başlayın: ${shop}.`,
      more: "Gönderdiniz mi? Paranız kaybolmadı. Birkaç dakika içinde burada görünür; görünmezse işleminizi kontrol edin.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "Bu ödeme bağlantısının süresi doldu",
      text: `${amount} ulaştı, ancak bu siparişin para birimi ${currency}. Kaybolmadı: ${shop} bulabilir. Şimdi göndermeyin.`,
    }),
    closed: ({ shop }) => ({
      title: "Bu sipariş kapatıldı",
      text: `${shop} siparişi ödenmeden önce kapattı. Şimdi göndermeyin.`,
      more: `Gönderdiniz mi? Paranız kaybolmadı; şuraya yazın: ${shop}.`,
    }),

    confirmations: "Onaylar",
    confirmationsOf: ({ count, required }) => [count, " / ", required],
    notFinalYet: "Ağın kesinleştirmesi bekleniyor",
    unmatched: {
      order: ({ amount, currency }) =>
        `Ayrıca ${amount} ulaştı. Sayılmaz: bu siparişin para birimi ${currency}.`,
      address: ({ amount, currency }) =>
        `Ayrıca ${amount} ulaştı. Sayılmaz: bu adres yalnızca ${currency} için.`,
    },
  },

  summary: {
    amount: "Tutar",
    amountToSend: "Gönderilecek tutar",
    stillToSend: "Kalan tutar",
    amountSent: "Gönderilen tutar",
    amountReceived: "Alınan tutar",
    youChoose: "Tutarı siz seçersiniz",
    inCurrency: ({ currency }) => `${currency} olarak`,
    copyAmount: { shown: "Kopyala", hidden: "tutarı" },
    order: "Sipariş",
    price: "Fiyat",
    rate: "Kur",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "Ağ ve hizmet ücreti",
    totalDue: "Gönderilecek",
    received: "Alınan",
    receivedAt: "Alınma zamanı",
    network: "Ağ",
    testNetwork: "deneme",
    timeToPay: "Ödeme süresi",
    heldFor: ({ left }) => `Fiyat ${left} daha geçerli`,
    heldUntil: ({ time }) => `Fiyatın geçerli olduğu son an: ${time}`,
    heldNoLonger: "Fiyat artık geçerli değil",
    todaysAmount: "Güncel tutarı al",
    alreadySent: ({ time }) => ["Gönderdiniz mi? Şu saatten önce gönderildiyse sayılır: ", time, "."],
    until: ({ time }) => `en geç ${time}`,
  },

  payment: {
    qrCode: "Adresin QR kodu",
    showQrCode: "Başka bir cihaz için QR kodunu göster",
    toAddress: "Bu adrese",
    copyAddress: { shown: "Adresi kopyala" },
    payWithWallet: "TronLink ile öde",
    sendOnly: ({ coin }) => ["Yalnızca ", coin, "."],
    otherNetworks: {
      token: "Başka herhangi bir ağda (Ethereum ERC-20, BNB BEP-20, Solana…) para ulaşmaz ve kaybolabilir.",
      native: "Başka herhangi bir ağda para ulaşmaz ve kaybolabilir.",
    },
    coinOf: {
      token: ({ coin }) => `TRON ağında ${coin} (TRC-20)`,
      native: ({ coin }) => `TRON ağında ${coin}`,
    },
    fromExchange: "Borsadan mı ödüyorsunuz?",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "Öyle bir tutar girin ki çekim ücreti (çoğunlukla yaklaşık ",
        fee,
        ") düşüldükten sonra bize ulaşan ",
        amount,
        " olsun.",
      ],
      unnamedFee: ({ amount }) => [
        "Öyle bir tutar girin ki çekim ücreti düşüldükten sonra bize ulaşan ",
        amount,
        " olsun.",
      ],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { one: "Ödemeniz", other: "Ödemeleriniz" }),
    confirming: "Onaylanıyor",
    confirmed: "Onaylandı",
    confirmedLate: "Onaylandı, geç",
    failed: "Başarısız",
    doesNotCount: "Sayılmaz",
    tiny: (count) => `Başkalarından çok küçük transferler: ${count}`,
    transaction: ({ id }) => `Gezginde ${id} işlemi`,
    transactionId: "İşlem",
    copyTransaction: { shown: "Kopyala", hidden: "işlem kimliğini" },
    from: "Gönderen",
    explorer: "Blok gezgini",
    print: "Makbuzu yazdır",
  },

  exit: {
    backTo: ({ shop }) => ["Geri dön: ", shop],
    leavingIn: ({ host, seconds }) => [host, " sitesine ", seconds, " sn içinde yönlendiriliyorsunuz."],
    stay: "Burada kal",
    stays: "Bu sayfa açık kalır.",
    cancel: ({ host }) => `İptal et ve geri dön: ${host}`,
  },

  receipt: {
    title: "Makbuz",
    paidTo: "Ödenen adres",
    contact: "İletişim",
    page: "Ödeme sayfası",
    noValue: "değeri yok",
  },

  contact: {
    none: ({ shop }) => `${shop} burada iletişim bilgisi vermiyor: siparişi verdiğiniz yerde sorun.`,
    link: {
      help: ({ shop }) => `Mesaj yaz: ${shop}`,
      refund: ({ shop }) => `İade iste: ${shop}`,
    },
    mail: {
      order: ({ order }) => `Sipariş ${order}`,
      payment: ({ shop }) => `Ödemem: ${shop}`,
      page: ({ page }) => `Ödeme sayfası: ${page}`,
      address: ({ address }) => `Adres: ${address}`,
      transaction: ({ id }) => `İşlem: ${id}`,
      received: ({ received }) => `Alınan: ${received}`,
      receivedOf: ({ received, due }) => `Alınan: ${received}, istenen: ${due}`,
    },
  },

  lookup: {
    title: "Ödedim ama görünmüyor",
    label: "İşlem kimliği veya gezgin bağlantısı",
    hint: "Cüzdanınız veya borsanız bunu TxID ya da hash olarak gösterir: 64 karakter, 0–9 ve a–f.",
    check: "Kontrol et",
    failed: "Şu anda kontrol edilemedi. Lütfen bir dakika sonra yeniden deneyin.",
    counted: ({ amount }) =>
      `Bu işlemle ${amount} ulaştı; kesinleşti ve sayıldı. Yapmanız gereken bir şey yok.`,
    countedBefore: ({ amount, rest }) =>
      `Bu işlemle ${amount} ulaştı ve bu siparişe sayıldı. Bu sayfa kalanı ister: ${rest}.`,
    tooSmall: ({ amount }) =>
      `Bu işlemle ${amount} ulaştı. Sayılamayacak kadar küçüktür ve hiçbir şeyi değiştirmez.`,
    arrived: ({ amount }) => `Bu işlemle ${amount} ulaştı ve kesinleşti.`,
    seen: ({ amount, count, required }) =>
      `${amount} bulundu: onaylar ${count} / ${required}. Yalnızca yaklaşık bir dakika beklemeniz yeterli.`,
    seenInPart: ({ amount, count, required }) => `${amount} bulundu: onaylar ${count} / ${required}.`,
    failedOnChain:
      "Bu işlem zincirde başarısız oldu. Para hareket etmedi: gönderdiğiniz tutar hâlâ cüzdanınızda.",
    otherAddress: ({ end }) =>
      `Bu işlem, sonu ${end} olan başka bir adrese ödeme yaptı. Bu sayfaya hiçbir şey ulaşmadı.`,
    lookAlike: ({ other, here }) =>
      `Bu işlem, yalnızca buna benzeyen başka bir adrese ödeme yaptı: ${here} yerine ${other}. Böyle adresler aldatmak için yapılır: adresi geçmişinizden değil, bu sayfadan alın.`,
    nothingSent: "Bu işlem bu sayfanın adresine hiçbir şey göndermedi.",
    otherCoin: ({ amount, currency }) =>
      `${amount} ulaştı, ancak bu ödemenin para birimi ${currency}. Sayılmaz ama kaybolmadı: mağazaya yazın.`,
    otherToken: ({ currency }) =>
      `Bu işlem ${currency} yerine başka bir token gönderdi. Sayılmaz: mağazaya yazın.`,
    notOnTron:
      "Bu bir Ethereum hash değerine benziyor (0x…). Bu ödeme yalnızca TRON ağındadır: gönderdiğiniz cüzdana veya borsaya sorun.",
    notFound:
      "Henüz bulunamadı. Yeni bir işlemin görünmesi bir dakikayı bulabilir: kimliği kontrol edip sonra yeniden deneyin.",
    busy: ({ seconds }) =>
      `Şu anda çok fazla sorgu var: lütfen ${seconds} saniye sonra yeniden deneyin. Ödemeniz bundan etkilenmez.`,
    notAnId:
      "Bu bir işlem kimliği değil. Kimlik 64 karakterdir, 0–9 ve a–f; onu içeren bir gezgin bağlantısı da olur.",
  },

  panel: {
    title: "Deneme: demo cüzdanından öde",
    text: "Bu kutu yalnızca yerel zincirde vardır. Her düğme o zincirde bir ödeme gönderir.",
    cases: {
      exact: "Tam",
      under: "Eksik",
      over: "Fazla",
      twice: "İki kez",
      wrong_coin: "Yanlış coin",
      late: "Geç",
    },
    sent: "Gönderildi. Sayfa birkaç saniye içinde gösterir.",
    failed: "Gönderilemedi.",
  },

  scripts: {
    copied: "Kopyalandı",
    selectToCopy: "Kopyalamak için metni seçin",
    daysAndHours: ({ days, hours }) => `${days} g ${hours} sa`,
    fiveMinutesLeft: "Ödemek için 5 dakika kaldı.",
    oneMinuteLeft: "Ödemek için 1 dakika kaldı.",
    walletAsks: "Cüzdanınızda onaylayın…",
    walletLooks: "Zincirde henüz görülmedi. Aranıyor…",
    walletGone: "Zincire zamanında ulaşmadı ve artık ulaşamaz: para hareket etmedi. Yeniden ödeyebilirsiniz.",
    walletRefused: "Hiçbir şey gönderilmedi. Yeniden denensin mi?",
    walletOnOtherNetwork: "Cüzdanınız başka bir ağda.",
  },

  problems: {
    notFound: {
      title: "Bu ödemeyi bulamıyoruz",
      text: "Bağlantı eksik olabilir: mağazadan yeniden açın veya mağazadan yeni bir bağlantı isteyin. O zamana kadar para göndermeyin.",
      more: "Gönderdiniz mi? İşlem kimliğinizi mağazaya iletin: mağaza onunla paranızı bulabilir.",
    },
    noPage: {
      title: "Burada bir sayfa yok",
      text: "Adres eksik veya yanlış yazılmış olabilir: bağlantıyı bulunduğu yerden yeniden açın.",
    },
    tooOften: {
      title: "Bir dakika lütfen",
      text: "Bu sayfa az önce çok sık açıldı. Kendiliğinden geri gelir.",
    },
    noRate: {
      title: "Şu anda kur yok",
      text: "Güncel tutar şu anda hesaplanamıyor. Bu sayfa kendiliğinden geri gelir: o zaman yeniden isteyin.",
    },
    unavailable: {
      title: "Bu sayfa şu anda kullanılamıyor",
      text: "Gönderdiğiniz ödeme kaybolmaz: zincirdedir ve bulunur. Bu sayfa kendiliğinden yeniden dener.",
    },
  },
};
