import { plainText } from './format.js';
import { html, useEffect, useState } from './htm.js';

/** How many items are offered at a time; typing finds others. */
const OFFERED = 50;

/** Kinds that an event can be linked with: where the items are, and how one is created. */
export const CHOICES = {
  venue: { label: 'Venue', route: '/wp/v2/tribe_venue', single: true, create: ['/tribe/events/v1/venues', 'venue'] },
  organizer: { label: 'Organizers', route: '/wp/v2/tribe_organizer', create: ['/tribe/events/v1/organizers', 'organizer'] },
  categories: { label: 'Categories', route: '/wp/v2/tribe_events_cat', create: ['/tribe/events/v1/categories', 'name'] },
  tags: { label: 'Tags', route: '/wp/v2/tags', create: ['/tribe/events/v1/tags', 'name'] },
};

const nameOf = (model, { title, name }) => plainText(model.window, title?.rendered ?? name);

/** Reads items: those with some ids, or those that a search finds. */
async function find(model, route, query) {
  const items = await model.api.rest('GET', `${route}?_fields=id,title,name&per_page=${OFFERED}${query}`);
  return items.map((item) => ({ id: item.id, name: nameOf(model, item) }));
}

/** Choice in a field of the form: ids, and names of what does not exist yet. */
export const chosenIn = (text) => (text === '' ? [] : JSON.parse(text));

/**
 * The ids of what was chosen. Creates what does not exist yet.
 * @param name of the field
 * @param created receives the choice after each creation, so that nothing is created twice
 */
export async function idsOf(model, name, chosen, created) {
  const [route, field] = CHOICES[name].create;
  const ids = [...chosen];
  for (const [index, each] of chosen.entries()) {
    if (typeof each === 'number') continue;
    ids[index] = (await model.api.rest('POST', route, { [field]: each })).id;
    created([...ids]);
  }
  return ids;
}

/**
 * A field for venues, organizers or terms: existing ones are offered while a name is typed, and another name makes a new one.
 * @param value ids, and names of new ones
 */
export function Choice({ model, name, value, choose }) {
  const { label, route, single = false } = CHOICES[name];
  const [text, setText] = useState('');
  const [offered, setOffered] = useState([]);
  const [names, setNames] = useState({});
  const list = `${name}-offered`;
  const learn = (items) => setNames((known) => ({ ...known, ...Object.fromEntries(items.map((item) => [item.id, item.name])) }));
  useEffect(() => {
    let isGone = false;
    const search = text === '' ? '' : `&search=${encodeURIComponent(text)}`;
    find(model, route, search).then(
      (items) => isGone || setOffered(items),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [text]);
  useEffect(() => {
    const ids = value.filter((each) => typeof each === 'number');
    if (ids.length > 0) find(model, route, `&include=${ids.join(',')}`).then(learn, () => undefined);
  }, []);
  const existing = (typed) => offered.find((item) => item.name.toLowerCase() === typed.toLowerCase());
  const add = (input) => {
    const wanted = input.value.trim();
    input.value = '';
    setText('');
    if (wanted === '') return;
    const item = existing(wanted);
    if (item) learn([item]);
    const added = item?.id ?? wanted;
    choose(single ? [added] : [...value.filter((each) => each !== added), added]);
  };
  const oninput = ({ target, inputType = 'insertReplacementText' }) => {
    // Chosen from what is offered, and not typed.
    if (inputType === 'insertReplacementText' && existing(target.value.trim())) add(target);
    else setText(target.value);
  };
  const onkeydown = (event) => {
    if (event.key !== 'Enter' || event.currentTarget.value === '') return;
    event.preventDefault();
    add(event.currentTarget);
  };
  return html`<div class="choice-field">
    <label
      >${label}
      <input
        id=${`${name}-text`}
        list=${list}
        autocomplete="off"
        placeholder=${single && value.length > 0 ? 'Another name' : 'Choose, or type a new name'}
        value=${text}
        oninput=${oninput}
        onchange=${({ target }) => add(target)}
        onkeydown=${onkeydown}
      />
    </label>
    <datalist id=${list}>${offered.map((item) => html`<option key=${item.id} value=${item.name}></option>`)}</datalist>
    <input type="hidden" name=${name} value=${JSON.stringify(value)} />
    ${
      value.length > 0 &&
      html`<ul class="picked" aria-label=${label}>
        ${value.map((each) => {
          const shown = typeof each === 'number' ? (names[each] ?? `${label} ${each}`) : each;
          return html`<li key=${each} class="chip">
            <span class="chip-text">${shown}</span>
            ${typeof each === 'string' && html`<span class="badge">new</span>`}
            <button type="button" aria-label=${`Remove ${shown}`} onclick=${() => choose(value.filter((other) => other !== each))}>
              ✕
            </button>
          </li>`;
        })}
      </ul>`
    }
  </div>`;
}
