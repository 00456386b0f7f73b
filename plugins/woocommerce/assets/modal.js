// Opens the payment page over the shop's page. Without the service's script the link leads to it.
(() => {
  const link = document.getElementById("daric-pay");
  if (!link) return;
  const back = () => window.location.assign(link.dataset.back);
  const open = () => window.Daric.open({ checkoutUrl: link.href, onClose: back });
  const script = document.createElement("script");
  script.src = link.dataset.script;
  script.async = true;
  script.addEventListener("load", () => {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      open();
    });
    open();
  });
  document.head.append(script);
})();
