import { toStr } from '../../../base/php/cast.js';
import { imageTag } from '../../media/pictures.js';
import { PAGE, type Post, type Term } from '../../model.js';
import { isRecord } from '../../../base/values/records.js';
import { antispam, isEmail } from '../email.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { ksesPost, htmlRules } from '../kses/kses.js';
import { stripAllTags } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { svg } from './media-blocks.js';
import { parseBlocks } from './parse.js';
import { classesOf, headingOf } from './post-blocks.js';
import icons from './icon-names.json' with { type: 'json' };
import services from './social-services.json' with { type: 'json' };
import { at, styled, type Styled } from './styles.js';
import { TagEditor } from './tags.js';

const ICONS = new Set(icons.map((name) => `core/${name}`));
const SERVICES = new Map<string, string>(Object.entries(services));

const kept = (frame: Frame, html: string): string => ksesPost(html, htmlRules(frame.references.quirks));

const homeUrl = ({ references }: Frame): string => references.site?.url ?? '';

/** A link to the front page around a name of the site. */
const homeLink = (frame: Frame, text: string): string =>
  `<a href="${escUrl(homeUrl(frame))}" target="${escAttr(frame.text('linkTarget'))}" rel="home">${text}</a>`;

const siteTitle: Renderer = (frame) => {
  const name = escHtml(frame.references.site?.options.name ?? '');
  if (name === '') return '';
  const tag = headingOf(frame.number('level', 1));
  return `<${tag} ${wrapper(frame, classesOf(frame))}>${frame.is('isLink') ? homeLink(frame, name) : name}</${tag}>`;
};

const siteTagline: Renderer = (frame) => {
  const text = frame.references.site?.options.description ?? '';
  if (text === '') return '';
  const tag = headingOf(frame.number('level'));
  return `<${tag} ${wrapper(frame, classesOf(frame))}>${frame.is('isLink') ? homeLink(frame, text) : text}</${tag}>`;
};

const siteLogo: Renderer = (frame) => {
  const { references } = frame;
  const picture = references.attachment(references.site?.options.front.site_logo ?? 0);
  if (!picture) return '';
  const width = frame.number('width');
  const alt = picture.meta.find(({ key }) => key === '_wp_attachment_image_alt')?.value || escHtml(references.site?.options.name ?? '');
  const full = imageTag(picture, 'full', references.uploadsUrl, { class: 'custom-logo', alt });
  const height = picture.image && width > 0 ? Math.round(width / (picture.image.width / picture.image.height)) : 0;
  const img = width > 0 ? full.replace(/width="\d+" height="\d+"/, `width="${width}" height="${height}"`) : full;
  const target = frame.text('linkTarget') === '_blank' ? ' target="_blank"' : '';
  const linked = frame.is('isLink')
    ? `<a href="${escUrl(`${homeUrl(frame)}/`)}" class="custom-logo-link"${target} rel="home">${img}</a>`
    : img;
  return `<div ${wrapper(frame, { class: width > 0 ? '' : 'is-default-size' })}>${linked}</div>`;
};

const signIn: Renderer = (frame) => {
  const { request, site } = frame.references;
  const current = frame.is('redirectToCurrent') ? `${site?.url.replace(/^(https?:\/\/[^/]*).*$/, '$1') ?? ''}${request.url}` : '';
  const to = current === '' ? '' : `redirect_to=${encodeURIComponent(current)}`;
  const page = `${site?.coreUrl ?? ''}/wp-login.php`;
  const query = [...(request.isSignedIn ? ['action=logout'] : []), ...(to === '' ? [] : [to])].join('&');
  const link = `<a href="${escUrl(query === '' ? page : `${page}?${query}`)}">Log ${request.isSignedIn ? 'out' : 'in'}</a>`;
  return `<div ${wrapper(frame, { class: request.isSignedIn ? 'logged-in' : 'logged-out' })}>${link}</div>`;
};

const homeItem: Renderer = (frame) => {
  const label = frame.text('label');
  if (label === '') return '';
  const link = `<a class="wp-block-home-link__content wp-block-navigation-item__content" href="${escUrl(homeUrl(frame))}" rel="home"${frame.isOld ? '' : ' '}>`;
  return `<li ${wrapper(frame, { class: 'wp-block-navigation-item' })}>${link}${kept(frame, label)}</a></li>`;
};

/** Parts of the search form that take styles: of borders, colors and texts. */
function searchStyles({ attributes }: Frame): Record<'border' | 'color' | 'text', Styled> {
  const of = (group: string): Styled => styled(attributes.style, attributes, (path) => path.startsWith(`${group}.`));
  return { border: of('border'), color: of('color'), text: of('typography') };
}

const css = (...all: readonly Styled[]): string => {
  const rules = all.flatMap((each) => each.rules);
  return rules.length === 0 ? '' : ` style="${escAttr(rules.join(';'))}"`;
};

const search: Renderer = (frame) => {
  const { attributes, references, isOld } = frame;
  const id = references.counters.next('wp-block-search__input-');
  const text = (name: string): string => (typeof attributes[name] === 'string' ? frame.text(name) : 'Search');
  const [label, buttonText, position] = [text('label'), text('buttonText'), frame.text('buttonPosition')];
  const hasButton = position !== 'no-button';
  const isInside = position === 'button-inside';
  const usesIcon = frame.is('buttonUseIcon');
  const { border, color, text: type } = searchStyles(frame);
  const classes = [
    `wp-block-search__${position}`,
    ...(position === 'button-only' ? ['wp-block-search__searchfield-hidden'] : []),
    ...(hasButton ? [usesIcon ? 'wp-block-search__icon-button' : 'wp-block-search__text-button'] : []),
  ];
  const element = (html: string, names: readonly string[], set: Record<string, string>): string => {
    const tag = new TagEditor(html, isOld);
    tag.next();
    return tag
      .addClass(...names)
      .setAll(set)
      .html();
  };
  const isShown = frame.is('showLabel') && label !== '';
  const outer = isInside ? [] : border.classes;
  const labelTag = element(
    `<label ${css(type)}>${label === '' ? 'Search' : kept(frame, label)}</label>`,
    ['wp-block-search__label', ...(isShown ? type.classes : ['screen-reader-text'])],
    {
      for: id,
    },
  );
  const input = element(
    `<input type="search" name="s" required ${css(...(isInside ? [type] : [border, type]))}/>`,
    ['wp-block-search__input', ...outer, ...type.classes],
    { id, value: '', placeholder: frame.text('placeholder') },
  );
  const hidden = Object.entries(isRecord(attributes.query) ? attributes.query : {}).map(
    ([name, value]) => `<input type="hidden" name="${escAttr(name)}" value="${escAttr(String(value))}" />`,
  );
  const button = hasButton
    ? element(
        `<button type="submit" ${css(color, ...(isInside ? [type] : [border, type]))}>${usesIcon ? svg(' class="search-icon"') : kept(frame, buttonText)}</button>`,
        ['wp-block-search__button', ...color.classes, ...type.classes, ...outer, ...(usesIcon ? ['has-icon'] : []), 'wp-element-button'],
        { 'aria-label': stripAllTags(buttonText) },
      )
    : '';
  const width = typeof attributes.width === 'number' ? ` style="width: ${attributes.width}${escAttr(frame.text('widthUnit'))}"` : '';
  const wrapped = isInside ? border.classes.join(' ') : '';
  const around = `wp-block-search__inside-wrapper${isOld || wrapped !== '' ? ` ${wrapped}` : ''}`;
  const box = `<div class="${around}" ${width}>${input}${hidden.join('')}${button}</div>`;
  const align = wrapper(frame, { class: classes.join(' ') });
  return `<form role="search" method="get" action="${escUrl(`${homeUrl(frame)}/`)}" ${align}${isOld ? '    ' : ' '}>${labelTag}${box}</form>`;
};

/** The network that a social link leads to. */
const socialLink: Renderer = (frame) => {
  const { attributes, isOld } = frame;
  const outer = frame.around('core/social-links');
  const service = typeof attributes.service === 'string' ? attributes.service : 'Icon';
  const sent = frame.text('url');
  if (sent === '') return '';
  const address = isEmail(sent) ? `mailto:${antispam(sent)}` : sent;
  const url = /^[a-z][a-z0-9+.-]*:/i.test(address) || /^(?:\/\/|#)/.test(address) ? address : `https://${address}`;
  const label = frame.text('label').trim() || (SERVICES.get(service) ?? '');
  const named = (kind: string): string => outer?.text(kind) ?? '';
  const colors = [
    ['color', named('iconColorValue')],
    ['background-color', named('iconBackgroundColorValue')],
  ].filter(([, value]) => value !== '');
  const own = {
    class: [
      `wp-social-link wp-social-link-${service}`,
      ...(named('iconColor') === '' ? [] : [`has-${named('iconColor')}-color`]),
      ...(named('iconBackgroundColor') === '' ? [] : [`has-${named('iconBackgroundColor')}-background-color`]),
    ].join(' '),
    style: colors.map(([name, value]) => (isOld ? `${name}: ${value}; ` : `${name}:${value};`)).join(''),
  };
  const hidden = outer?.is('showLabels') === true ? '' : ' screen-reader-text';
  const text = `<span class="wp-block-social-link-label${hidden}">${escHtml(label)}</span>`;
  const rel = frame.text('rel');
  const link = new TagEditor(`<a href="${escUrl(url)}" class="wp-block-social-link-anchor">`, isOld);
  link.next();
  if (outer?.is('openInNewTab') === true) link.setAll({ rel: `${rel} noopener nofollow`.trim(), target: '_blank' });
  else if (rel !== '') link.set('rel', rel.trim());
  return `<li ${wrapper(frame, own)}>${link.html()}${svg()}${text}</a></li>`;
};

/** A pattern in a post. WP: a pattern that contains itself is shown once. */
const pattern: Renderer = (frame) => {
  const { references, scope } = frame;
  const id = frame.number('ref');
  const { shownPatterns = [] } = references;
  const post = id > 0 && !shownPatterns.includes(id) ? references.pattern(id) : undefined;
  return post
    ? scope.show(parseBlocks(post.content), frame, { ...scope, references: { ...references, shownPatterns: [...shownPatterns, id] } })
    : '';
};

interface Crumb {
  readonly text: string;
  readonly url?: string;
}

/** The pages above a page, the outermost first. */
function above(frame: Frame, post: Post): Post[] {
  const found: Post[] = [];
  for (let id = post.parent; id > 0 && found.every(({ _id }) => _id !== id);) {
    const parent = frame.references.ask('post', id);
    if (!parent) break;
    found.unshift(parent);
    id = parent.parent;
  }
  return found;
}

/** The term of a post in its first taxonomy that has one, and all above it. */
function termCrumbs(frame: Frame, post: Post): Crumb[] {
  const { ask, site } = frame.references;
  const taxonomy = site?.taxonomiesOf(post.type).find((name) => (post.terms[name] ?? []).length > 0);
  if (!site || taxonomy === undefined) return [];
  const { terms, known } = ask('termIds', post.terms[taxonomy] ?? []);
  const [term] = terms.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
  const crumbs: Crumb[] = [];
  for (
    let each: Term | undefined = term;
    each && crumbs.length < known.size + 1;
    each = each.parent > 0 ? known.get(each.parent) : undefined
  )
    crumbs.unshift({ text: each.name, url: site.termUrl(each, known) });
  return crumbs;
}

const breadcrumbs: Renderer = (frame) => {
  const { post, site, linkTo } = frame.references;
  if (!post || !site) return '';
  const archive = site.archive(post.type);
  const isNested = post.type === PAGE || post.parent > 0;
  const titled = (each: Post): string => renderTitle(each.title) || '(no title)';
  const crumbs: Crumb[] = [
    ...(frame.is('showHomeItem') ? [{ text: 'Home', url: `${site.url}/` }] : []),
    ...(archive ? [{ text: archive.label, url: archive.url }] : []),
    ...(isNested && !frame.is('prefersTaxonomy')
      ? above(frame, post).map((each) => ({ text: titled(each), url: linkTo(each) }))
      : termCrumbs(frame, post)),
    ...(frame.is('showCurrentItem') ? [{ text: titled(post) }] : []),
  ];
  if (crumbs.length === 0) return '';
  const separator = frame.text('separator').replace(/[\\"]/g, '\\$&');
  const items = crumbs.map(({ text, url }) =>
    url === undefined ? `<li><span aria-current="page">${text}</span></li>` : `<li><a href="${escUrl(url)}">${text}</a></li>`,
  );
  return `<nav ${wrapper(frame, { style: `--separator: "${separator}";`, 'aria-label': 'Breadcrumbs' })}><ol>${items.join('')}</ol></nav>`;
};

const icon: Renderer = (frame) => (ICONS.has(frame.text('icon')) ? `<div ${wrapper(frame)}>${svg()}\n</div>` : '');

/** WP: a widget of the time before blocks. Only texts are known here. */
const legacyWidget: Renderer = (frame) => {
  if (frame.text('idBase') !== 'text') return '';
  const { raw } = (isRecord(frame.attributes.instance) ? frame.attributes.instance : {}) as { raw?: unknown };
  const [title, text] = ['title', 'text'].map((name) => toStr(at(raw, name))) as [string, string];
  const head = title === '' ? '' : `<h2 class="widgettitle">${title}</h2>`;
  return `<div class="widget widget_text">${head}\t\t\t<div class="textwidget">${text}</div>\n\t\t</div>`;
};

/** Blocks that show parts of the site, and links. */
export const SITE_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/site-title': siteTitle,
  'core/site-tagline': siteTagline,
  'core/site-logo': siteLogo,
  'core/loginout': signIn,
  'core/home-link': homeItem,
  'core/search': search,
  'core/social-link': socialLink,
  'core/block': pattern,
  // WP: the patterns of themes, which no content here has.
  'core/pattern': () => '',
  'core/breadcrumbs': breadcrumbs,
  'core/icon': icon,
  'core/legacy-widget': legacyWidget,
};
