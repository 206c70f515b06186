import { EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { LINKED, type LinkedKind } from '../../../plugins/the-events-calendar/model/event.js';
import type { DocumentBuilder, EventFacts, LinkedFacts } from '../../documents.js';
import type { FieldValues, WallTimes } from '../../fields.js';
import type { SourceItem, SourcePlace } from '../../source.js';
import { type Component, type Property, EventProblem, readMoment, textOf, textsOf } from './components.js';
import { ADDRESSED, fieldParameters } from './parameters.js';
import { bodyOf, textToHtml, venueOfText } from './text.js';

const param = (property: Property | undefined, name: string): string | undefined => property?.params.get(name) || undefined;

const textIn = (component: Component, name: string): string => textOf(component.value(name));

/** Reads field values from the parameters of a property. */
const valuesOf = (property: Property | undefined, kind: LinkedKind): FieldValues =>
  Object.fromEntries(
    fieldParameters(LINKED[kind].fields).flatMap(({ name, parameter }) => {
      const value = param(property, parameter);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const GEO = /^([+-]?\d+(?:\.\d+)?);([+-]?\d+(?:\.\d+)?)$/;

function venueOf(component: Component): LinkedFacts | undefined {
  const property = component.first('LOCATION');
  const text = textIn(component, 'LOCATION').trim();
  if (text === '' || /^https?:\/\/\S+$/.test(text)) return undefined;
  const title = param(property, 'X-NAME');
  const facts = title === undefined ? venueOfText(text) : { title, values: valuesOf(property, 'venue') };
  const [, lat, lng] = GEO.exec(component.value('GEO').replace('\\;', ';')) ?? [];
  return { ...facts, values: { ...facts.values, ...(lat === undefined ? {} : { geo_lat: lat, geo_lng: lng }) } };
}

function linkedOf(kind: LinkedKind, property: Property, documents: DocumentBuilder, at: SourcePlace) {
  const email = /^mailto:(.+)$/i.exec(property.value)?.[1];
  const title = (param(property, 'CN') ?? email ?? '').trim();
  if (title === '') return [];
  const values = { ...valuesOf(property, kind), ...(email === undefined ? {} : { email }) };
  return [documents.namedLinked(kind, { title, values }, at)];
}

const HTML = ['X-ALT-DESC', 'STYLED-DESCRIPTION'];

function contentOf(component: Component): string {
  const property = component.properties.find(({ name, params }) => HTML.includes(name) && /html/i.test(params.get('FMTTYPE') ?? ''));
  return property ? bodyOf(textOf(property.value)) : textToHtml(textIn(component, 'DESCRIPTION'));
}

/** Epoch seconds of a property in UTC; undefined without one that can be read. */
function epochOfProperty(component: Component, name: string): number | undefined {
  if (!component.has(name)) return undefined;
  try {
    return readMoment(component.value(name)).seconds;
  } catch (error) {
    if (error instanceof EventProblem) return undefined;
    throw error;
  }
}

/** TEC: the status of a canceled event. */
export const CANCELED = 'canceled';

/**
 * The items of an event at given times: first the venues, organizers and terms that it refers to.
 * @param slug suffix of the slug, for the events of a series
 */
export function eventItems(
  component: Component,
  times: WallTimes,
  documents: DocumentBuilder,
  at: SourcePlace,
  slug?: string,
): SourceItem[] {
  const location = textIn(component, 'LOCATION').trim();
  const url = component.value('URL');
  const title = (param(component.first('SUMMARY'), 'X-HTML') ?? textIn(component, 'SUMMARY')).trim() || '(no title)';
  const venueFacts = venueOf(component);
  const venue = venueFacts && documents.namedLinked('venue', venueFacts, at);
  const linked = ADDRESSED.map((kind) => ({
    kind,
    named: component.properties
      .filter(({ name }) => name === kind.toUpperCase() || name === `X-${kind.toUpperCase()}`)
      .flatMap((property) => linkedOf(kind, property, documents, at)),
  }));
  const names = component.all('CATEGORIES').flatMap(({ value }) => textsOf(value));
  const categories = names.flatMap((name) => documents.namedTerm(EVENT_CATEGORY, name.trim(), at) ?? []);
  const ids = (named: readonly { id: number }[]): number[] => [...new Set(named.map(({ id }) => id))];
  const facts: EventFacts = {
    times,
    title,
    slug: slug === undefined ? undefined : `${title} ${slug}`,
    content: contentOf(component),
    // RFC 5545, 3.8.1.3: an unknown class is private.
    status: ['', 'PUBLIC'].includes(component.value('CLASS').toUpperCase()) ? 'publish' : 'private',
    published: epochOfProperty(component, 'CREATED'),
    modified: epochOfProperty(component, 'LAST-MODIFIED'),
    categories: ids(categories),
    values: {
      venue: venue ? [venue.id] : [],
      ...Object.fromEntries(linked.map(({ kind, named }) => [kind, ids(named)])),
      website: url === '' && venue === undefined && /^https?:/.test(location) ? location : url,
      ...(/^cancell?ed$/i.test(component.value('STATUS')) ? { event_status: CANCELED } : {}),
    },
  };
  const named = [...(venue ? [venue] : []), ...linked.flatMap((each) => each.named), ...categories].flatMap(({ items }) => items);
  return [...named, { kind: 'post', post: documents.event(facts), at }];
}

export const hasImage = (component: Component): boolean =>
  component.properties.some(({ name, params }) => name === 'IMAGE' || (name === 'ATTACH' && /^image\//i.test(params.get('FMTTYPE') ?? '')));
