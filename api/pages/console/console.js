// The console's own script: passkeys, and buttons that copy. Everything else works without it.
(() => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
  const FAULT = "That did not work. Try again, or use a link by mail.";

  async function askDevice(form) {
    const body = new URLSearchParams({ csrf: form.elements.csrf.value });
    const answer = await fetch(`${form.action}/options`, { method: "POST", body });
    if (!answer.ok) throw new Error("the options were refused");
    const optionsJSON = await answer.json();
    const ask = form.dataset.passkey === "add" ? startRegistration : startAuthentication;
    form.elements.response.value = JSON.stringify(await ask({ optionsJSON }));
    form.submit();
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    if (!browserSupportsWebAuthn()) continue;
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const status = form.querySelector("[role=status]");
      status.textContent = "Waiting for your device …";
      askDevice(form).catch(() => {
        status.textContent = FAULT;
      });
    });
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const source = document.getElementById(button.dataset.copy);
    if (!navigator.clipboard || !source) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    });
  }
})();
