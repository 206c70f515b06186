/** Asks for the token in a dialog. */
export function tokenDialog(document) {
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
