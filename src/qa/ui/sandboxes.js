import { make, onSubmit } from './dom.js';

/** The isolated worlds of the server, each with a page like this one. */
export function sandboxesPanel({ document, api, act }) {
  const by = (id) => document.getElementById(id);
  const pageOf = (name) => `${api.root}${name === '' ? '' : `__sandbox/${encodeURIComponent(name)}/`}__qa/ui`;

  const item =
    (own) =>
    ({ name, idleSeconds }) =>
      make(
        document,
        'li',
        {},
        make(document, 'strong', {}, name),
        make(document, 'span', { class: 'quiet' }, name === own ? 'this one' : `idle for ${idleSeconds} s`),
        make(
          document,
          'span',
          { class: 'row' },
          name !== own && make(document, 'a', { href: pageOf(name), 'aria-label': `Open ${name}` }, 'Open'),
          make(
            document,
            'button',
            { type: 'button', class: 'small', 'aria-label': `Delete sandbox ${name}`, onclick: () => remove(name) },
            'Delete',
          ),
        ),
      );

  const refresh = async () => {
    const [{ sandboxes }, { sandbox = '' }] = await Promise.all([api.call('GET', 'sandboxes'), api.call('GET', 'health')]);
    by('sandboxes').replaceChildren(...sandboxes.map(item(sandbox)));
    const main = sandbox === '' ? [] : [' ', make(document, 'a', { href: pageOf('') }, 'Back to the main world')];
    by('world').replaceChildren(sandbox === '' ? 'This is the main world.' : `This is sandbox ${sandbox}.`, ...main);
  };

  const change = (method, path, words) =>
    act(async () => {
      const { name, ms } = await api.call(method, path);
      await refresh();
      return words ?? `Sandbox ${name} is there (${Math.round(ms)} ms).`;
    });
  const remove = (name) => change('DELETE', `sandboxes/${encodeURIComponent(name)}`, `Deleted sandbox ${name}.`);
  onSubmit(by('sandbox-make'), async ({ name }) => {
    await change(name === undefined ? 'POST' : 'PUT', name === undefined ? 'sandboxes' : `sandboxes/${encodeURIComponent(name)}`);
    by('sandbox-make').reset();
  });
  return { refresh };
}
