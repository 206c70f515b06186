import { pageTexts, type Language, type PageTexts } from '../../base/locales/index.js';
import type { PageRequest } from '../rest/page.js';
import type { User } from '../model.js';
import type { Site } from '../site.js';
import { dateTag, Dates } from './dates.js';
import { escapeText, trusted, type Html } from './html.js';

/** The context of a page: site, language, reader and request. */
export interface Reading {
  site: Site;
  language: Language;
  texts: PageTexts;
  dates: Dates;
  /** The signed-in user. */
  reader: User | null;
  request: PageRequest;
}

const known = new Map<string, Dates>();

function datesOf(tag: string): Dates {
  const dates = known.get(tag) ?? new Dates(tag);
  known.set(tag, dates);
  return dates;
}

/** Creates the context of a request. */
export const readingOf = (site: Site, request: PageRequest, reader: User | null = null): Reading => ({
  site,
  language: request.language,
  texts: pageTexts(request.language),
  dates: datesOf(dateTag(site, request.language)),
  reader,
  request,
});

/** Fills the placeholders of a text. Strings are escaped, HTML is not. */
export const fillHtml = (text: string, values: Readonly<Record<string, string | Html>>): Html =>
  trusted(
    escapeText(text).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      if (!Object.hasOwn(values, name)) return placeholder;
      const value = values[name];
      return typeof value === 'string' ? escapeText(value) : value.text;
    }),
  );

/** `1 event`, `12 events`. */
export const eventCount = ({ texts, dates }: Reading, count: number): string =>
  (dates.isSingular(count) ? texts.eventsFoundOne : texts.eventsFoundMany).replace('{count}', dates.number(count));
