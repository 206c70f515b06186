import { make, onSubmit } from './dom.js';

/** Shows and controls the sandboxes, each of which has its own explorer page. */
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
    const main = sandbox === '' ? [] : [' ', make(document, 'a', { href: pageOf('') }, 'Back to the main site')];
    by('tenant').replaceChildren(sandbox === '' ? 'This is the main site.' : `This is sandbox ${sandbox}.`, ...main);
  };

  const change = (method, path, message) =>
    act(async () => {
      const { name, ms } = await api.call(method, path);
      await refresh();
      return message ?? `Sandbox ${name} is ready (${Math.round(ms)} ms).`;
    });
  const remove = (name) => change('DELETE', `sandboxes/${encodeURIComponent(name)}`, `Deleted sandbox ${name}.`);
  onSubmit(by('sandbox-create'), async ({ name }) => {
    await change(name === undefined ? 'POST' : 'PUT', name === undefined ? 'sandboxes' : `sandboxes/${encodeURIComponent(name)}`);
    by('sandbox-create').reset();
  });
  return { refresh };
}
