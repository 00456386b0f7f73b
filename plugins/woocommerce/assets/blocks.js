// The payment method in the checkout block. Plain JavaScript: it runs as it is.
(() => {
  const { createElement } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const data = window.wc.wcSettings.getSetting("daric_data", {});
  const title = decodeEntities(data.title || "USDT or TRX (TRON)");
  const Content = () => createElement("p", null, decodeEntities(data.description || ""));

  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: "daric",
    label: createElement("span", null, title),
    ariaLabel: title,
    content: createElement(Content),
    edit: createElement(Content),
    // The server offers it only where it can be used.
    canMakePayment: () => true,
    supports: { features: data.supports || ["products"] },
  });
})();
