import { pluralOf, type Translation } from "./catalogue.ts";

const LANGUAGE = "id";

/** Indonesian. */
export const id: Translation = {
  language: LANGUAGE,
  name: "Bahasa Indonesia",
  direction: "ltr",
  review: "unreviewed",

  page: {
    paymentTo: ({ shop }) => `Pembayaran ke ${shop}`,
    payAmount: ({ amount, shop }) => `Bayar ${amount} · ${shop}`,
    paidTitle: "✓ Lunas",
    receiptTitle: ({ order }) => `Bukti pembayaran ${order}`,
    test: "Uji coba",
    noCoinValue: "Koin di sini tidak bernilai.",
    keepPhraseSecret:
      "Penerima pembayaran tidak pernah membutuhkan frasa pemulihan dompet Anda. Jangan pernah mengetiknya di halaman mana pun.",
    connectionLost: "Koneksi terputus. Mencoba lagi…",
    otherLanguages: "Bahasa lain",
    otherPage: "Buka halaman lain pesanan ini",
  },
  testNetworks: {
    nile: "Jaringan uji Nile",
    shasta: "Jaringan uji Shasta",
    devnet: "Rantai pengembangan lokal",
    private: "Rantai privat",
  },

  status: {
    awaiting: {
      title: "Menunggu pembayaran Anda",
      text: "Halaman ini diperbarui sendiri beberapa detik setelah Anda mengirim.",
    },
    awaitingAny: ({ currency }) => ({
      title: `Siap menerima ${currency}`,
      text: "Kirim berapa pun. Halaman ini diperbarui sendiri beberapa detik kemudian.",
    }),
    standing: ({ currency }) => ({
      title: `Siap menerima ${currency}`,
      text: "Anda boleh mengirim berkali-kali. Setiap pembayaran muncul di sini beberapa detik kemudian.",
    }),
    lastBlocks: {
      title: "Waktu habis; memeriksa blok terakhir",
      text: "Jangan kirim sekarang. Jika Anda mengirim tepat waktu, pembayaran muncul di sini dalam sekitar satu menit.",
    },
    wrongCoin: {
      order: ({ amount, currency, shop }) => ({
        title: `${amount} telah tiba; pesanan ini dalam ${currency}`,
        text: `Dana ini tidak dihitung untuk pesanan, tetapi tidak hilang: ${shop} dapat menemukannya. Untuk membayar, kirim ${currency} seperti di bawah.`,
      }),
      address: ({ amount, currency, shop }) => ({
        title: `${amount} telah tiba; alamat ini hanya untuk ${currency}`,
        text: `Dana ini tidak dihitung sebagai pembayaran, tetapi tidak hilang: ${shop} dapat menemukannya. Untuk membayar, kirim ${currency} seperti di bawah.`,
      }),
    },
    partFound: ({ received, rest }) => ({
      title: `${rest} masih harus dikirim`,
      text: `${received} ditemukan dan sedang dikonfirmasi. Kirim sisanya ke alamat yang sama.`,
      spoken: `${received} ditemukan. ${rest} masih harus dikirim ke alamat yang sama.`,
    }),
    found: ({ received }) => ({
      title: "Pembayaran ditemukan",
      text: `${received} ditemukan. Jaringan mengonfirmasinya dalam sekitar satu menit. Anda boleh menutup halaman ini: tidak ada yang hilang.`,
      spoken: `${received} ditemukan. Sedang dikonfirmasi, sekitar satu menit.`,
    }),
    foundNotFinal: ({ received }) => ({
      title: "Pembayaran ditemukan",
      text: `${received} sudah mendapat semua konfirmasi. Pembayaran dihitung segera setelah jaringan menjadikannya final, biasanya dalam beberapa detik. Anda boleh menutup halaman ini: tidak ada yang hilang.`,
      spoken: `${received} sudah mendapat semua konfirmasi. Pembayaran final dalam beberapa detik.`,
    }),
    foundStuck: ({ received }) => ({
      title: "Pembayaran ditemukan",
      text: `${received} ditemukan. Jaringan lebih lambat dari biasanya. Pembayaran Anda aman: cukup menunggu saja.`,
      spoken: `${received} ditemukan. Jaringan lebih lambat dari biasanya. Pembayaran Anda aman.`,
    }),
    foundInReorg: ({ received }) => ({
      title: "Pembayaran ditemukan",
      text: `${received} ditemukan. Jaringan sedang menyusun ulang blok terakhirnya. Mohon jangan mengirim untuk kedua kalinya.`,
      spoken: `${received} ditemukan. Jaringan sedang menyusun ulang blok terakhirnya. Mohon jangan mengirim untuk kedua kalinya.`,
    }),
    partReceived: ({ received, rest, due }) => ({
      title: `Kurang ${rest}`,
      text: `${received} dari ${due} telah tiba. Kirim ${rest} lagi ke alamat yang sama sebelum waktu habis.`,
    }),
    partReceivedUnlocked: ({ received }) => ({
      title: "Dibayar sebagian",
      text: `${received} telah tiba. Dapatkan jumlah terkini untuk sisanya, lalu kirim ke alamat yang sama.`,
    }),
    smallRest: ({ shop }) =>
      `Mungkin bursa memotong biayanya. Terlalu kecil untuk bursa Anda? Gunakan dompet, atau hubungi ${shop}.`,
    partReceivedTooLate: ({ received, rest, due, shop }) => ({
      title: "Dibayar sebagian",
      text: `${received} dari ${due} telah tiba; kurang ${rest}, dan waktu sudah habis. Jangan kirim sisanya sekarang: hubungi ${shop} agar pesanan dikirim atau dana dikembalikan.`,
    }),
    receivedTooLate: ({ received, shop }) => ({
      title: "Pembayaran Anda datang terlambat",
      text: `${received} tiba dengan aman, setelah pesanan ini ditutup. ${shop} melihatnya: hubungi mereka agar pesanan dikirim atau dana dikembalikan.`,
    }),
    receivedPartTooLate: ({ received, late, shop }) => ({
      title: "Sebagian pembayaran Anda datang terlambat",
      text: `${received} tiba tepat waktu, dan ${late} setelah pesanan ini ditutup. Hubungi ${shop} agar pesanan dikirim atau dana dikembalikan.`,
    }),
    continued: {
      title: "Pesanan ini berlanjut di halaman lain",
      text: "Jangan kirim apa pun lagi ke halaman ini. Halaman lain itu menunjukkan yang masih harus dibayar.",
    },
    paidByRest: ({ received, rest }) => ({
      title: "Lunas",
      text: `${received} tiba di sini, dan ${rest} lewat halaman lain pesanan ini. Pembayaran sudah final.`,
    }),
    paid: ({ received }) => ({
      title: "Lunas",
      text: `${received} diterima. Pembayaran sudah final.`,
    }),
    paidLate: ({ received }) => ({
      title: "Lunas",
      text: `${received} diterima. Dana datang setelah waktu habis dan tetap diterima. Pembayaran sudah final.`,
    }),
    accepted: ({ received, due, shop }) => ({
      title: "Lunas",
      text: `${shop} menerima ${received} dari ${due} sebagai pembayaran penuh.`,
    }),
    paidToStandingAddress: ({ received }) => ({
      title: "Pembayaran diterima",
      text: `${received} sejauh ini. Anda dapat mengirim lagi ke alamat ini.`,
      spoken: `Pembayaran diterima. ${received} sejauh ini.`,
    }),
    overpaid: ({ received, surplus, shop }) => ({
      title: "Lunas",
      text: `${received} diterima, ${surplus} lebih banyak dari yang diminta. ${shop} juga melihatnya: mintalah pengembaliannya.`,
    }),
    expired: ({ shop }) => ({
      title: "Tautan pembayaran ini sudah kedaluwarsa",
      text: `Belum ada dana yang tiba. Jangan kirim sekarang: mulai lagi di ${shop}.`,
      more: "Sudah mengirim? Uang Anda tidak hilang. Dana akan muncul di sini dalam beberapa menit; jika tidak, periksa transaksi Anda.",
    }),
    expiredWithWrongCoin: ({ amount, currency, shop }) => ({
      title: "Tautan pembayaran ini sudah kedaluwarsa",
      text: `${amount} telah tiba, tetapi pesanan ini dalam ${currency}. Dana tidak hilang: ${shop} dapat menemukannya. Jangan kirim sekarang.`,
    }),
    closed: ({ shop }) => ({
      title: "Pesanan ini ditutup",
      text: `${shop} menutupnya sebelum dibayar. Jangan kirim sekarang.`,
      more: `Sudah mengirim? Uang Anda tidak hilang: hubungi ${shop}.`,
    }),

    confirmations: "Konfirmasi",
    confirmationsOf: ({ count, required }) => [count, " dari ", required],
    notFinalYet: "Menunggu jaringan menjadikannya final",
    unmatched: {
      order: ({ amount, currency }) =>
        `${amount} juga telah tiba. Dana ini tidak dihitung: pesanan ini dalam ${currency}.`,
      address: ({ amount, currency }) =>
        `${amount} juga telah tiba. Dana ini tidak dihitung: alamat ini hanya untuk ${currency}.`,
    },
  },

  summary: {
    amount: "Jumlah",
    amountToSend: "Jumlah yang dikirim",
    stillToSend: "Masih harus dikirim",
    amountSent: "Jumlah terkirim",
    amountReceived: "Jumlah diterima",
    youChoose: "Anda menentukan jumlahnya",
    inCurrency: ({ currency }) => `dalam ${currency}`,
    copyAmount: { shown: "Salin", hidden: "jumlah" },
    order: "Pesanan",
    price: "Harga",
    rate: "Kurs",
    rateOf: ({ fiat, amount }) => `1 ${fiat} = ${amount}`,
    fee: "Biaya jaringan dan layanan",
    totalDue: "Total dikirim",
    received: "Diterima",
    receivedAt: "Diterima pada",
    network: "Jaringan",
    testNetwork: "uji coba",
    timeToPay: "Waktu untuk membayar",
    heldFor: ({ left }) => `Harga berlaku ${left} lagi`,
    heldUntil: ({ time }) => `Harga berlaku hingga ${time}`,
    heldNoLonger: "Harga tidak lagi berlaku",
    todaysAmount: "Dapatkan jumlah terkini",
    alreadySent: ({ time }) => ["Sudah mengirim? Pembayaran dihitung jika dikirim sebelum ", time, "."],
    until: ({ time }) => `hingga ${time}`,
  },

  payment: {
    qrCode: "Kode QR alamat",
    showQrCode: "Tampilkan kode QR untuk perangkat lain",
    toAddress: "Ke alamat ini",
    copyAddress: { shown: "Salin alamat" },
    payWithWallet: "Bayar dengan TronLink",
    sendOnly: ({ coin }) => ["Hanya ", coin, "."],
    otherNetworks: {
      token: "Lewat jaringan lain (Ethereum ERC-20, BNB BEP-20, Solana…) uang tidak sampai dan dapat hilang.",
      native: "Lewat jaringan lain uang tidak sampai dan dapat hilang.",
    },
    coinOf: {
      token: ({ coin }) => `${coin} di TRON (TRC-20)`,
      native: ({ coin }) => `${coin} di TRON`,
    },
    fromExchange: "Membayar dari bursa kripto?",
    exchangeAmount: {
      namedFee: ({ amount, fee }) => [
        "Masukkan jumlah sehingga kami menerima ",
        amount,
        " setelah dipotong biaya penarikan (biasanya sekitar ",
        fee,
        ").",
      ],
      unnamedFee: ({ amount }) => [
        "Masukkan jumlah sehingga kami menerima ",
        amount,
        " setelah dipotong biaya penarikan.",
      ],
    },
  },

  deposits: {
    title: pluralOf(LANGUAGE, { other: "Pembayaran Anda" }),
    confirming: "Sedang dikonfirmasi",
    confirmed: "Dikonfirmasi",
    confirmedLate: "Dikonfirmasi, terlambat",
    failed: "Gagal",
    doesNotCount: "Tidak dihitung",
    tiny: (count) => `Transfer sangat kecil dari pihak lain: ${count}`,
    transaction: ({ id: txId }) => `Transaksi ${txId} di penjelajah blok`,
    transactionId: "Transaksi",
    copyTransaction: { shown: "Salin", hidden: "ID transaksi" },
    from: "Dari",
    explorer: "Penjelajah blok",
    print: "Cetak bukti pembayaran",
  },

  exit: {
    backTo: ({ shop }) => ["Kembali ke ", shop],
    leavingIn: ({ host, seconds }) => ["Membawa Anda ke ", host, " dalam ", seconds, " dtk."],
    stay: "Tetap di sini",
    stays: "Halaman ini tetap terbuka.",
    cancel: ({ host }) => `Batalkan dan kembali ke ${host}`,
  },

  receipt: {
    title: "Bukti pembayaran",
    paidTo: "Dibayar ke",
    contact: "Kontak",
    page: "Halaman pembayaran",
    noValue: "tanpa nilai",
  },

  contact: {
    none: ({ shop }) => `${shop} tidak mencantumkan kontak di sini: tanyakan di tempat Anda memesan.`,
    link: {
      help: ({ shop }) => `Hubungi ${shop}`,
      refund: ({ shop }) => `Minta pengembalian dari ${shop}`,
    },
    mail: {
      order: ({ order }) => `Pesanan ${order}`,
      payment: ({ shop }) => `Pembayaran saya ke ${shop}`,
      page: ({ page }) => `Halaman pembayaran: ${page}`,
      address: ({ address }) => `Alamat: ${address}`,
      transaction: ({ id: txId }) => `Transaksi: ${txId}`,
      received: ({ received }) => `Diterima: ${received}`,
      receivedOf: ({ received, due }) => `Diterima: ${received} dari ${due}`,
    },
  },

  lookup: {
    title: "Saya sudah membayar, tetapi tidak muncul",
    label: "ID transaksi atau tautan penjelajah blok",
    hint: "Dompet atau bursa Anda menampilkannya sebagai TxID atau hash: 64 karakter, 0–9 dan a–f.",
    check: "Periksa",
    failed: "Saat ini kami tidak dapat memeriksanya. Silakan coba lagi dalam satu menit.",
    counted: ({ amount }) =>
      `${amount} tiba melalui transaksi ini, sudah final dan dihitung. Anda tidak perlu melakukan apa pun.`,
    countedBefore: ({ amount, rest }) =>
      `${amount} tiba melalui transaksi ini dan dihitung untuk pesanan ini. Halaman ini meminta sisanya: ${rest}.`,
    tooSmall: ({ amount }) =>
      `${amount} tiba melalui transaksi ini. Jumlahnya terlalu kecil untuk dihitung dan tidak mengubah apa pun.`,
    arrived: ({ amount }) => `${amount} tiba melalui transaksi ini dan sudah final.`,
    seen: ({ amount, count, required }) =>
      `${amount} ditemukan: ${count} dari ${required} konfirmasi. Cukup tunggu sekitar satu menit.`,
    seenInPart: ({ amount, count, required }) => `${amount} ditemukan: ${count} dari ${required} konfirmasi.`,
    failedOnChain:
      "Transaksi ini gagal di rantai. Tidak ada uang yang berpindah: yang Anda kirim masih ada di dompet Anda.",
    otherAddress: ({ end }) =>
      `Transaksi ini membayar alamat lain, yang berakhiran ${end}. Tidak ada yang sampai ke halaman ini.`,
    lookAlike: ({ other, here }) =>
      `Transaksi ini membayar alamat lain yang hanya mirip dengan alamat ini: ${other}, bukan ${here}. Alamat seperti ini dibuat untuk menipu: ambil alamat dari halaman ini, bukan dari riwayat Anda.`,
    nothingSent: "Transaksi ini tidak mengirim apa pun ke alamat halaman ini.",
    otherCoin: ({ amount, currency }) =>
      `${amount} telah tiba, tetapi pembayaran ini dalam ${currency}. Dana tidak dihitung, tetapi tidak hilang: hubungi toko.`,
    otherToken: ({ currency }) =>
      `Transaksi ini mengirim token selain ${currency}. Dana tidak dihitung: hubungi toko.`,
    notOnTron:
      "Ini tampak seperti hash Ethereum (0x…). Pembayaran ini hanya di TRON: tanyakan ke dompet atau bursa tempat Anda mengirim.",
    notFound:
      "Belum ditemukan. Transaksi baru perlu hingga satu menit untuk muncul: periksa ID-nya, lalu coba lagi.",
    busy: ({ seconds }) =>
      `Saat ini terlalu banyak permintaan: silakan coba lagi dalam ${seconds} detik. Pembayaran Anda tidak terpengaruh.`,
    notAnId:
      "Ini bukan ID transaksi. ID terdiri dari 64 karakter, 0–9 dan a–f; tautan penjelajah blok yang memuatnya juga boleh.",
  },

  panel: {
    title: "Uji coba: bayar dari dompet demo",
    text: "Kotak ini hanya ada di rantai lokal. Setiap tombol mengirim satu pembayaran di sana.",
    cases: {
      exact: "Pas",
      under: "Kurang",
      over: "Lebih",
      twice: "Dua kali",
      wrong_coin: "Koin salah",
      late: "Terlambat",
    },
    sent: "Terkirim. Halaman menyusul dalam beberapa detik.",
    failed: "Tidak terkirim.",
  },

  scripts: {
    copied: "Disalin",
    selectToCopy: "Pilih teksnya untuk menyalin",
    daysAndHours: ({ days, hours }) => `${days} hr ${hours} jam`,
    fiveMinutesLeft: "Sisa 5 menit untuk membayar.",
    oneMinuteLeft: "Sisa 1 menit untuk membayar.",
    walletAsks: "Konfirmasikan di dompet Anda…",
    walletLooks: "Belum terlihat di rantai. Sedang dicari…",
    walletGone:
      "Transaksi tidak sampai ke rantai tepat waktu dan tidak bisa lagi: tidak ada uang yang berpindah. Anda bisa membayar lagi.",
    walletRefused: "Tidak ada yang terkirim. Coba lagi?",
    walletOnOtherNetwork: "Dompet Anda berada di jaringan lain.",
  },

  problems: {
    notFound: {
      title: "Pembayaran ini tidak ditemukan",
      text: "Tautannya mungkin terpotong: buka lagi dari toko, atau minta tautan baru kepada toko. Sampai saat itu, jangan kirim uang.",
      more: "Sudah mengirim? Kirimkan ID transaksi Anda kepada toko: dengan itu toko dapat menemukan uang Anda.",
    },
    noPage: {
      title: "Tidak ada halaman di sini",
      text: "Alamatnya mungkin terpotong atau salah ketik: buka lagi tautan dari tempat Anda menyimpannya.",
    },
    tooOften: {
      title: "Mohon tunggu sebentar",
      text: "Halaman ini baru saja dibuka terlalu sering. Halaman akan kembali sendiri.",
    },
    noRate: {
      title: "Kurs sedang tidak tersedia",
      text: "Jumlah terkini belum dapat dihitung saat ini. Halaman ini kembali sendiri: minta lagi saat itu.",
    },
    unavailable: {
      title: "Halaman ini sedang tidak tersedia",
      text: "Pembayaran yang sudah Anda kirim tidak hilang: ada di rantai dan akan ditemukan. Halaman ini mencoba lagi sendiri.",
    },
  },
};
