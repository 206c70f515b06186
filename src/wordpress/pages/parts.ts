import { html, trusted, type Html } from '../views/html.js';
import type { NamedLink, Reading } from '../views/reading.js';
import type { Unlocking } from './sign-in/login.js';
import type { Picture } from '../views/texts.js';
import drawings from './drawings.json' with { type: 'json' };

/** Strokes of icons, 24 by 24. */
export const DRAWINGS = drawings;

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
