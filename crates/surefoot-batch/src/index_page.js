for (const button of document.querySelectorAll("[data-command]")) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.command);
      button.textContent = "copied";
    } catch {
      // Without access to the clipboard the command is shown, to be copied by hand.
      button.textContent = button.dataset.command;
      return;
    }
    setTimeout(() => (button.textContent = label), 1500);
  });
}
