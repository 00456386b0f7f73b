/** The name of the modal, and the button that ends it, in the languages of the payment page. */
const TEXTS = new Map<string, readonly [payment: string, close: string]>([
  ["en", ["Payment", "Close"]],
  ["zh", ["付款", "关闭"]],
  ["ru", ["Оплата", "Закрыть"]],
  ["es", ["Pago", "Cerrar"]],
  ["pt", ["Pagamento", "Fechar"]],
  ["tr", ["Ödeme", "Kapat"]],
  ["vi", ["Thanh toán", "Đóng"]],
  ["id", ["Pembayaran", "Tutup"]],
  ["ar", ["الدفع", "إغلاق"]],
  ["fa", ["پرداخت", "بستن"]],
]);

/** The texts in the first known of these languages, or else in English. */
export function modalTexts(tags: readonly string[]) {
  const languages = tags.map((tag) => tag.split("-", 1)[0]?.toLowerCase() ?? "");
  const language = languages.find((known) => TEXTS.has(known)) ?? "en";
  const [payment = "", close = ""] = TEXTS.get(language) ?? [];
  return { language, direction: /^(?:ar|fa)$/.test(language) ? "rtl" : "ltr", payment, close };
}
