import { describedIn, findLanguage, OFFERED_TAGS, type Language } from '../../base/locales/index.js';
import { RestResponse, type Json } from './route.js';
import type { Params, RestRequest } from './request.js';
import type { User } from '../model.js';
import type { Site } from '../site.js';

/** The inputs of language negotiation. */
interface LanguagePreferences {
  query: Params;
  user: Pick<User, 'locale'> | null;
  /** The best language tag by `Accept-Language`, the first tag without the header; `false` if it accepts none. */
  accepts: (tags: string[]) => string | false;
}

/** The language requested by `_locale`. WP: `user` is the language of the signed-in user, by default the site's. */
function localeParameter(site: Site, { query: { _locale: locale }, user }: Omit<LanguagePreferences, 'accepts'>): Language | null {
  if (locale === 'user') return findLanguage(user?.locale ?? '') ?? site.language;
  return typeof locale === 'string' && !site.quirks.has('locale-takes-only-user') ? findLanguage(locale) : null;
}

/** The language requested by `Accept-Language`; the site's if none of the requested ones is supported. */
export function acceptedLanguage(site: Site, accepts: LanguagePreferences['accepts']): Language {
  if (site.quirks.has('no-language-negotiation')) return site.language;
  return findLanguage(accepts(OFFERED_TAGS[site.language]) || '') ?? site.language;
}

/** The language of a response: `_locale`, then what the client accepts, then the site's. */
export const languageFor = (site: Site, { accepts, ...preferences }: LanguagePreferences): Language =>
  localeParameter(site, preferences) ?? acceptedLanguage(site, accepts);

/** A response that describes the interface, in the language of the request. */
export function describing({ language }: RestRequest, body: Json): RestResponse {
  const response = new RestResponse(describedIn(language, body));
  response.language = language;
  return response;
}

/** The language headers of a response. None where the language is not negotiated. */
export function languageHeaders({ quirks }: Site, language: Language): { 'Content-Language'?: string; Vary?: string } {
  return quirks.has('no-language-negotiation') ? {} : { 'Content-Language': language, Vary: 'Accept-Language' };
}
