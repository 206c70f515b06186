import { submitting } from '../forms.js';
import { html, useEffect, useRef } from '../htm.js';

/** Asks for a login and an application password. */
export function SignIn({ model }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { sender } = model;
  const done = ({ login, password }) => model.signIn({ kind: 'login', login, password });
  return html`<dialog ref=${dialog} aria-labelledby="sign-in-title" onclose=${() => model.set({ isAsking: false })}>
    <form class="sign-in" onsubmit=${submitting(done)}>
      <h2 id="sign-in-title">Sign in</h2>
      <p>
        With an application password. The server prints one when it creates an administrator; <code>understudy users password</code> sets
        another.
      </p>
      <label for="login">Login<input id="login" name="login" required autocomplete="off" value=${sender.login} /></label>
      <label for="password">Application password<input id="password" name="password" type="password" required autocomplete="off" /></label>
      <div class="row">
        <button class="strong">Sign in</button>
        <button type="button" onclick=${() => dialog.current.close()}>Cancel</button>
      </div>
    </form>
  </dialog>`;
}

/** Chooses who sends requests. */
export function SendAs({ model }) {
  const { sender } = model;
  const choose = ({ target }) => {
    const kind = target.value;
    if (kind !== 'ask') return model.signIn({ kind });
    // The choice stands once the form is sent.
    target.value = sender.kind;
    return model.set({ isAsking: true });
  };
  return html`<label class="send-as" for="send-as">
    <span>Send as</span>
    <select id="send-as" value=${sender.kind} onchange=${choose}>
      <option value="visitor">a visitor</option>
      <option value="administrator">the administrator, without a password</option>
      ${sender.login !== '' && html`<option value="login">${sender.login}</option>`}
      <option value="ask">sign in…</option>
    </select>
  </label>`;
}
