const DIALOG = `<dialog id="token-dialog" aria-labelledby="token-title">
  <form id="token-form">
    <h2 id="token-title">Token</h2>
    <p>This server requires the token set with <code>--qa-token</code>. It is stored until you close this tab.</p>
    <label for="token">Token</label>
    <input id="token" name="token" type="password" autocomplete="off" required />
    <p id="token-wrong" class="alert" role="alert"></p>
    <div class="row"><button class="strong">Continue</button></div>
  </form>
</dialog>`;

/** Asks for the token in a dialog. */
export function tokenDialog(document) {
  document.body.insertAdjacentHTML('beforeend', DIALOG);
  const dialog = document.getElementById('token-dialog');
  const form = document.getElementById('token-form');
  // The dialog cannot be canceled, since the page needs the token.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  return (wasWrong) =>
    new Promise((resolve) => {
      document.getElementById('token-wrong').textContent = wasWrong ? 'Invalid token.' : '';
      dialog.showModal();
      form.addEventListener(
        'submit',
        (event) => {
          event.preventDefault();
          dialog.close();
          resolve(form.elements.namedItem('token').value);
        },
        { once: true },
      );
    });
}
