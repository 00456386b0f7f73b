import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "vi";

/** Vietnamese. */
export const vi: Translation = {
  language: LANGUAGE,
  name: "Tiếng Việt",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `Khoản thanh toán cho ${shop}`,
    payAmount: ({ amount, shop }) => `Thanh toán ${amount} · ${shop}`,
    paidTitle: "✓ Đã thanh toán",
    receiptTitle: ({ order }) => `Biên nhận ${order}`,
    test: "Thử nghiệm",
    noCoinValue: "Đồng coin ở đây không có giá trị.",
    keepPhraseSecret:
      "Không ai nhận thanh toán lại cần đến cụm từ khôi phục ví của bạn. Đừng bao giờ nhập cụm từ đó vào một trang web.",
    connectionLost: "Mất kết nối. Đang thử lại…",
    otherLanguages: "Ngôn ngữ khác",
    otherPage: "Mở trang kia của đơn hàng này",
  },
  testNetworks: {
    nile: "Mạng thử nghiệm Nile",
    shasta: "Mạng thử nghiệm Shasta",
    devnet: "Chuỗi phát triển cục bộ",
    private: "Chuỗi riêng",
  },

  status: {
    awaiting: {
      title: "Đang chờ bạn thanh toán",
      text: "Trang này tự cập nhật vài giây sau khi bạn gửi.",
    },
    awaitingAny: ({ currency }) => ({
      title: `Sẵn sàng nhận ${currency}`,
      text: "Bạn gửi bao nhiêu cũng được. Trang này tự cập nhật vài giây sau đó.",
    }),
    standing: ({ currency }) => ({
      title: `Sẵn sàng nhận ${currency}`,
      text: "Bạn có thể gửi nhiều lần. Mỗi khoản thanh toán sẽ hiện ở đây sau vài giây.",
    }),
    lastBlocks: {
      title: "Đã hết giờ; đang kiểm tra các khối cuối",
      text: "Đừng gửi lúc này. Nếu bạn đã gửi kịp giờ, khoản thanh toán sẽ hiện ở đây trong khoảng một phút.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `Đã nhận ${amount}; đơn hàng này tính bằng ${currency}`,
        text: `Khoản này không được tính cho đơn hàng, nhưng không bị mất: ${shop} có thể tìm thấy. Để thanh toán, hãy gửi ${currency} như bên dưới.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `Đã nhận ${amount}; địa chỉ này chỉ dành cho ${currency}`,
        text: `Khoản này không được tính là thanh toán, nhưng không bị mất: ${shop} có thể tìm thấy. Để thanh toán, hãy gửi ${currency} như bên dưới.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `Còn phải gửi ${rest}`,
      text: `Đã thấy ${received} và đang xác nhận. Hãy gửi phần còn lại đến cùng địa chỉ.`,
      spoken: `Đã thấy ${received}. Còn phải gửi ${rest} đến cùng địa chỉ.`,
    }),
    found: ({ received }) => ({
      title: "Đã thấy khoản thanh toán",
      text: `Đã thấy ${received}. Mạng xác nhận trong khoảng một phút. Bạn có thể đóng trang này: sẽ không mất gì cả.`,
      spoken: `Đã thấy ${received}. Đang xác nhận, khoảng một phút.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Đã thấy khoản thanh toán",
      text: `${received} đã có đủ số xác nhận. Khoản này được tính ngay khi mạng chốt hẳn, thường chỉ sau vài giây. Bạn có thể đóng trang này: sẽ không mất gì cả.`,
      spoken: `${received} đã có đủ số xác nhận. Giao dịch sẽ được chốt sau vài giây.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Đã thấy khoản thanh toán",
      text: `Đã thấy ${received}. Mạng chậm hơn bình thường. Khoản thanh toán của bạn vẫn an toàn: bạn chỉ cần chờ.`,
      spoken: `Đã thấy ${received}. Mạng chậm hơn bình thường. Khoản thanh toán của bạn vẫn an toàn.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Đã thấy khoản thanh toán",
      text: `Đã thấy ${received}. Mạng đang sắp xếp lại các khối cuối. Vui lòng đừng gửi lần thứ hai.`,
      spoken: `Đã thấy ${received}. Mạng đang sắp xếp lại các khối cuối. Vui lòng đừng gửi lần thứ hai.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `Còn thiếu ${rest}`,
      text: `Đã nhận ${received} trên ${due}. Hãy gửi thêm ${rest} đến cùng địa chỉ trước khi hết giờ.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "Đã thanh toán một phần",
      text: `Đã nhận ${received}. Hãy lấy số tiền hiện tại của phần còn lại rồi gửi đến cùng địa chỉ.`,
    }),
    smallRest: ({ shop }) =>
      `Có lẽ sàn giao dịch đã trừ phí. Số tiền quá nhỏ để rút từ sàn? Hãy dùng ví, hoặc liên hệ ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "Đã thanh toán một phần",
      text: `Đã nhận ${received} trên ${due}; còn thiếu ${rest} và đã hết giờ. Đừng gửi phần còn lại lúc này: hãy liên hệ ${shop} để được giao hàng hoặc hoàn tiền.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Khoản thanh toán của bạn đến quá muộn",
      text: `${received} đã đến an toàn, nhưng đơn hàng này đã đóng trước đó. ${shop} thấy khoản này: hãy liên hệ họ để được giao hàng hoặc hoàn tiền.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "Một phần khoản thanh toán đến quá muộn",
      text: `${received} đến đúng hạn, còn ${late} đến sau khi đơn hàng này đã đóng. Hãy liên hệ ${shop} để được giao hàng hoặc hoàn tiền.`,
    }),
    continued: {
      title: "Đơn hàng này tiếp tục ở trang khác",
      text: "Đừng gửi gì thêm vào trang này. Trang kia cho biết còn phải trả bao nhiêu.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "Đã thanh toán",
      text: `Đã nhận ${received} ở đây và ${rest} qua trang khác của đơn hàng này. Khoản thanh toán đã hoàn tất.`,
    }),
    paid: ({ received }) => ({
      title: "Đã thanh toán",
      text: `Đã nhận ${received}. Khoản thanh toán đã hoàn tất.`,
    }),
    paidLate: ({ received }) => ({
      title: "Đã thanh toán",
      text: `Đã nhận ${received}. Khoản này đến sau khi hết giờ và đã được chấp nhận. Khoản thanh toán đã hoàn tất.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "Đã thanh toán",
      text: `${shop} đã chấp nhận ${received} trên ${due} là thanh toán đủ.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Đã nhận thanh toán",
      text: `Đến nay đã nhận ${received}. Bạn có thể gửi tiếp đến địa chỉ này.`,
      spoken: `Đã nhận thanh toán. Đến nay là ${received}.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Đã thanh toán",
      text: `Đã nhận ${received}, thừa ${surplus} so với yêu cầu. ${shop} cũng thấy điều này: hãy yêu cầu hoàn lại.`,
    }),
    expired: ({ shop }) => ({
      title: "Liên kết thanh toán này đã hết hạn",
      text: `Chưa nhận được gì. Đừng gửi lúc này: hãy bắt đầu lại tại ${shop}.`,
      more: "Bạn đã gửi rồi? Tiền của bạn không bị mất. Khoản đó sẽ hiện ở đây trong vài phút; nếu không, hãy kiểm tra giao dịch của bạn.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "Liên kết thanh toán này đã hết hạn",
      text: `Đã nhận ${amount}, nhưng đơn hàng này tính bằng ${currency}. Khoản này không bị mất: ${shop} có thể tìm thấy. Đừng gửi lúc này.`,
    }),
    closed: ({ shop }) => ({
      title: "Đơn hàng này đã đóng",
      text: `${shop} đã đóng đơn hàng trước khi được thanh toán. Đừng gửi lúc này.`,
      more: `Bạn đã gửi rồi? Tiền của bạn không bị mất: hãy liên hệ ${shop}.`,
    }),

    confirmations: "Số xác nhận",
    confirmationsOf: ({ count, required }) => [count, " trên ", required],
    notFinalYet: "Đang chờ mạng chốt hẳn",
    unmatched: {
      order: ({ amount, currency }) =>
        `Cũng đã nhận ${amount}. Khoản này không được tính: đơn hàng này tính bằng ${currency}.`,
      address: ({ amount, currency }) =>
        `Cũng đã nhận ${amount}. Khoản này không được tính: địa chỉ này chỉ dành cho ${currency}.`,
    },
  },

  summary: {
    amount: "Số tiền",
    amountToSend: "Số tiền cần gửi",
    stillToSend: "Còn phải gửi",
    amountSent: "Số tiền đã gửi",
    amountReceived: "Số tiền đã nhận",
    youChoose: "Bạn chọn số tiền",
    inCurrency: ({ currency }) => `bằng ${currency}`,
    copyAmount: { shown: "Sao chép", hidden: "số tiền" },
    order: "Đơn hàng",
    price: "Giá",
    rate: "Tỷ giá",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "Phí mạng và phí dịch vụ",
    totalDue: "Cần gửi",
    received: "Đã nhận",
    receivedAt: "Thời gian nhận",
    network: "Mạng",
    testNetwork: "thử nghiệm",
    timeToPay: "Thời gian thanh toán",
    heldFor: ({ left }) => `Giá được giữ trong ${left}`,
    heldUntil: ({ time }) => `Giá được giữ đến ${time}`,
    heldNoLonger: "Giá không còn được giữ",
    todaysAmount: "Lấy số tiền hiện tại",
    alreadySent: ({ time }) => ["Đã gửi rồi? Khoản này được tính nếu gửi trước ", time, "."],
    until: ({ time }) => `đến ${time}`,
  },

  payment: {
    qrCode: "Mã QR của địa chỉ",
    showQrCode: "Hiện mã QR cho thiết bị khác",
    toAddress: "Đến địa chỉ này",
    copyAddress: { shown: "Sao chép địa chỉ" },
    payWithWallet: "Thanh toán bằng TronLink",
    sendOnly: ({ coin }) => ["Chỉ gửi ", coin, "."],
    otherNetworks: {
      token:
        "Qua bất kỳ mạng nào khác (Ethereum ERC-20, BNB BEP-20, Solana…), tiền sẽ không đến và có thể bị mất.",
      native: "Qua bất kỳ mạng nào khác, tiền sẽ không đến và có thể bị mất.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} trên TRON (TRC-20)`,
      native: ({ coin }) => `${coin} trên TRON`,
    },
    fromExchange: "Bạn thanh toán từ sàn giao dịch?",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "Hãy nhập số tiền sao cho sau khi trừ phí rút (thường khoảng ",
        fee,
        "), chúng tôi nhận được ",
        amount,
        ".",
      ],
      unnamedFee: ({ amount }) => [
        "Hãy nhập số tiền sao cho sau khi trừ phí rút, chúng tôi nhận được ",
        amount,
        ".",
      ],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { other: "Khoản thanh toán của bạn" }),
    confirming: "Đang xác nhận",
    confirmed: "Đã xác nhận",
    confirmedLate: "Đã xác nhận, trễ",
    failed: "Thất bại",
    doesNotCount: "Không được tính",
    tiny: (count) => `Khoản chuyển cực nhỏ từ người khác: ${count}`,
    transaction: ({ id }) => `Giao dịch ${id} trên trình khám phá khối`,
    transactionId: "Giao dịch",
    copyTransaction: { shown: "Sao chép", hidden: "mã giao dịch" },
    from: "Từ",
    explorer: "Trình khám phá khối",
    print: "In biên nhận",
  },

  exit: {
    backTo: ({ shop }) => ["Quay lại ", shop],
    leavingIn: ({ host, seconds }) => ["Đang đưa bạn đến ", host, " sau ", seconds, " giây."],
    stay: "Ở lại đây",
    stays: "Trang này vẫn mở.",
    cancel: ({ host }) => `Hủy và quay lại ${host}`,
  },

  receipt: {
    title: "Biên nhận",
    paidTo: "Đã trả đến địa chỉ",
    contact: "Liên hệ",
    page: "Trang thanh toán",
    noValue: "không có giá trị",
  },

  contact: {
    none: ({ shop }) => `${shop} không để thông tin liên hệ ở đây: hãy hỏi nơi bạn đã đặt hàng.`,
    link: {
      help: ({ shop }) => `Liên hệ ${shop}`,
      refund: ({ shop }) => `Yêu cầu ${shop} hoàn lại`,
    },
    mail: {
      order: ({ order }) => `Đơn hàng ${order}`,
      payment: ({ shop }) => `Khoản thanh toán của tôi cho ${shop}`,
      page: ({ page }) => `Trang thanh toán: ${page}`,
      address: ({ address }) => `Địa chỉ: ${address}`,
      transaction: ({ id }) => `Giao dịch: ${id}`,
      received: ({ received }) => `Đã nhận: ${received}`,
      receivedOf: ({ received, due }) => `Đã nhận: ${received} trên ${due}`,
    },
  },

  lookup: {
    title: "Tôi đã thanh toán nhưng không thấy hiện",
    label: "Mã giao dịch hoặc liên kết của trình khám phá khối",
    hint: "Ví hoặc sàn giao dịch hiển thị mã này là TxID hoặc hash: 64 ký tự, 0–9 và a–f.",
    check: "Kiểm tra",
    failed: "Hiện chưa kiểm tra được. Vui lòng thử lại sau một phút.",
    counted: ({ amount }) =>
      `Giao dịch này đã chuyển đến ${amount}, đã hoàn tất và được tính. Bạn không cần làm gì thêm.`,
    countedBefore: ({ amount, rest }) =>
      `Giao dịch này đã chuyển đến ${amount} và được tính cho đơn hàng này. Trang này thu phần còn lại: ${rest}.`,
    tooSmall: ({ amount }) =>
      `Giao dịch này đã chuyển đến ${amount}. Số tiền quá nhỏ để được tính và không thay đổi gì.`,
    arrived: ({ amount }) => `Giao dịch này đã chuyển đến ${amount} và đã hoàn tất.`,
    seen: ({ amount, count, required }) =>
      `Đã thấy ${amount}: ${count} trên ${required} xác nhận. Bạn chỉ cần chờ khoảng một phút.`,
    seenInPart: ({ amount, count, required }) => `Đã thấy ${amount}: ${count} trên ${required} xác nhận.`,
    failedOnChain:
      "Giao dịch này đã thất bại trên chuỗi. Không có tiền nào được chuyển: số tiền bạn gửi vẫn ở trong ví của bạn.",
    otherAddress: ({ end }) =>
      `Giao dịch này đã gửi đến một địa chỉ khác, kết thúc bằng ${end}. Không có gì đến trang này.`,
    lookAlike: ({ other, here }) =>
      `Giao dịch này đã gửi đến một địa chỉ khác chỉ trông giống địa chỉ này: ${other} thay vì ${here}. Những địa chỉ như vậy được tạo ra để lừa đảo: hãy lấy địa chỉ từ trang này, không lấy từ lịch sử của bạn.`,
    nothingSent: "Giao dịch này không gửi gì đến địa chỉ của trang này.",
    otherCoin: ({ amount, currency }) =>
      `Đã nhận ${amount}, nhưng khoản thanh toán này tính bằng ${currency}. Khoản đó không được tính, nhưng không bị mất: hãy liên hệ cửa hàng.`,
    otherToken: ({ currency }) =>
      `Giao dịch này đã gửi một token khác, không phải ${currency}. Khoản đó không được tính: hãy liên hệ cửa hàng.`,
    notOnTron:
      "Đây có vẻ là hash của Ethereum (0x…). Khoản thanh toán này chỉ dùng TRON: hãy hỏi ví hoặc sàn mà bạn đã gửi.",
    notFound:
      "Chưa tìm thấy. Giao dịch mới có thể mất đến một phút mới hiện: hãy kiểm tra lại mã rồi thử lại.",
    busy: ({ seconds }) =>
      `Hiện có quá nhiều yêu cầu: vui lòng thử lại sau ${seconds} giây. Khoản thanh toán của bạn không bị ảnh hưởng.`,
    notAnId:
      "Đây không phải là mã giao dịch. Mã có 64 ký tự, 0–9 và a–f; liên kết của trình khám phá khối có chứa mã cũng được.",
  },

  panel: {
    title: "Thử nghiệm: thanh toán từ ví demo",
    text: "Khung này chỉ có trên chuỗi cục bộ. Mỗi nút gửi một khoản thanh toán trên chuỗi đó.",
    cases: {
      exact: "Đúng số tiền",
      under: "Thiếu",
      over: "Thừa",
      twice: "Hai lần",
      wrong_coin: "Sai loại coin",
      late: "Trễ",
    },
    sent: "Đã gửi. Trang sẽ cập nhật sau vài giây.",
    failed: "Chưa gửi được.",
  },

  scripts: {
    copied: "Đã sao chép",
    selectToCopy: "Hãy chọn văn bản để sao chép",
    daysAndHours: ({ days, hours }) => `${days} ngày ${hours} giờ`,
    fiveMinutesLeft: "Còn 5 phút để thanh toán.",
    oneMinuteLeft: "Còn 1 phút để thanh toán.",
    walletAsks: "Hãy xác nhận trong ví của bạn…",
    walletLooks: "Chưa thấy trên chuỗi. Đang tìm…",
    walletGone:
      "Giao dịch đã không lên chuỗi kịp và không thể lên nữa: không có tiền nào được chuyển. Bạn có thể thanh toán lại.",
    walletRefused: "Chưa gửi gì cả. Thử lại?",
    walletOnOtherNetwork: "Ví của bạn đang ở mạng khác.",
  },

  problems: {
    notFound: {
      title: "Không tìm thấy khoản thanh toán này",
      text: "Liên kết có thể bị cắt mất: hãy mở lại từ cửa hàng hoặc xin cửa hàng liên kết mới. Cho đến lúc đó, đừng gửi tiền.",
      more: "Bạn đã gửi rồi? Hãy gửi mã giao dịch cho cửa hàng: nhờ đó cửa hàng có thể tìm thấy tiền của bạn.",
    },
    noPage: {
      title: "Không có trang nào ở đây",
      text: "Địa chỉ có thể bị cắt mất hoặc gõ sai: hãy mở lại liên kết từ nơi bạn có nó.",
    },
    tooOften: {
      title: "Vui lòng chờ một lát",
      text: "Trang này vừa được mở quá nhiều lần. Trang sẽ tự trở lại.",
    },
    noRate: {
      title: "Hiện chưa có tỷ giá",
      text: "Lúc này chưa tính được số tiền hiện tại. Trang này sẽ tự trở lại: khi đó hãy lấy lại số tiền.",
    },
    unavailable: {
      title: "Trang này hiện không dùng được",
      text: "Khoản thanh toán bạn đã gửi không bị mất: nó nằm trên chuỗi và sẽ được tìm thấy. Trang này sẽ tự thử lại.",
    },
  },
};
