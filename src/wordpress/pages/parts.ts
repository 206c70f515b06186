import { html, trusted, type Html } from '../views/html.js';
import type { NamedLink, Reading } from '../views/reading.js';
import type { Unlocking } from './sign-in/login.js';
import type { Picture } from '../views/texts.js';

/** Strokes of icons, 24 by 24. */
export const DRAWINGS = {
  calendar: 'M4 6.5h16v13H4zM4 10.5h16M8 3.5v4M16 3.5v4',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17M12 7.5V12l3 2',
  pin: 'M12 21s-6.5-6.2-6.5-11a6.5 6.5 0 0 1 13 0c0 4.8-6.5 11-6.5 11zM12 12.2a2.2 2.2 0 1 0 0-4.4a2.2 2.2 0 0 0 0 4.4',
  ticket: 'M4 7h16v3.2a2 2 0 0 0 0 3.6V17H4v-3.2a2 2 0 0 0 0-3.6zM14 7v10',
  star: 'M12 4l2.4 5 5.6.7-4.1 3.9 1 5.5L12 16.4 7.1 19.1l1-5.5L4 9.7 9.6 9z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  search: 'M10.5 4.5a6 6 0 1 0 0 12a6 6 0 0 0 0-12M15 15l5 5',
  left: 'M14.5 5.5L8 12l6.5 6.5',
  right: 'M9.5 5.5L16 12l-6.5 6.5',
} as const;

/** An icon beside a text with the same meaning. */
export const icon = (name: keyof typeof DRAWINGS): Html =>
  trusted(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${DRAWINGS[name]}"/></svg>`);

/**
 * A picture in several sizes.
 * @param sizes value of the attribute `sizes`
 * @param options whether it is decoration, whether it has its title, and its class names; WP: `wp-post-image` for the picture of a post
 */
export function picture(
  { url, width, height, sources, alt, title }: Picture,
  sizes: string,
  { lazy = true, decorative = false, titled = false, names = '' } = {},
): Html {
  const shape = width !== undefined && height !== undefined ? html` width="${width}" height="${height}"` : null;
  const choice = sources === '' ? null : html` srcset="${sources}" sizes="${sizes}"`;
  const all = names === '' ? null : html` class="${names}"`;
  return html`<img${all}
    src="${url}"
    alt="${decorative ? '' : alt}"
    ${titled ? html` title="${title}"` : null}
    ${shape}
    ${choice}
    ${lazy ? trusted('loading="lazy"') : null}
  />`;
}

/** Maximum length of a title in large letters. */
const LARGE = 80;

/** The heading of a page. @param name its class name */
export const heading = (title: Html, name: string): Html =>
  html`<h1 class="${title.text.length > LARGE ? `small ${name}` : name}">${title}</h1>`;

/** Text for screen readers. */
export const hidden = (text: string | Html): Html => html`<span class="hidden">${text}</span>`;

export const linkRow = (links: NamedLink[]): Html =>
  html`<ul class="chips">
    ${links.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li> `)}
  </ul>`;

/** The content of a post, or the form for its password. */
export function content(text: Html | null, unlocking: Unlocking, { site, texts, request }: Reading): Html | null {
  if (text !== null) return text.text.trim() === '' ? null : html`<div class="prose">${text}</div>`;
  return html`<form class="panel" method="post" action="${site.coreUrl}/wp-login.php?action=postpass">
    <p><strong>${icon('lock')} ${texts.passwordProtected}</strong> ${texts.enterPassword}</p>
    ${unlocking === 'wrong' ? html`<p class="alert" role="alert">${texts.wrongPassword}</p> ` : null}
    <p class="inline">
      <label for="post_password">${texts.password}</label>
      <input type="password" id="post_password" name="post_password" autocomplete="off" required />
      <input type="hidden" name="redirect_to" value="${site.url}${request.url}" />
      <button type="submit">${texts.submit}</button>
    </p>
  </form>`;
}

/** A link to another page, or to another site. */
export const external = (url: string, text: string | Html): Html => html`<a href="${url}" rel="external noopener nofollow">${text}</a>`;

/** A URL without its scheme, for readers. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
