import { isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { isRecord } from '../../../base/values/records.js';
import { PAGE, type Post, type Term } from '../../model.js';
import { antispam, isEmail } from '../email.js';
import { stripAllTags } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import tables from './tables.json' with { type: 'json' };
import { parseBlocks } from './parse.js';
import icons from './icon-names.json' with { type: 'json' };
import services from './social-services.json' with { type: 'json' };
import { at, cssValue, fluidSize, styled } from './styles.js';
import { filled, kept, safeStyle, svg } from './template.js';

const ICONS = new Set(icons.map((name) => `core/${name}`));
const SERVICES = new Map<string, string>(Object.entries(services));

const signIn: Renderer = (frame) => {
  const { request, site } = frame.references;
  const current = `${site?.url.replace(/^(https?:\/\/[^/]*).*$/, '$1') ?? ''}${request.url}`;
  const to = frame.is('redirectToCurrent') ? [`redirect_to=${encodeURIComponent(current)}`] : [];
  const query = [...(request.isSignedIn ? ['action=logout'] : []), ...to].join('&');
  const form = !request.isSignedIn && frame.is('displayLoginAsForm') ? filled(frame, 'login-form', { current: escUrl(current) }) : '';
  return filled(frame, 'core/loginout', {
    classes: request.isSignedIn ? 'logged-in' : `logged-out${form === '' ? '' : ' has-login-form'}`,
    url: escUrl(`${site?.coreUrl ?? ''}/wp-login.php${query === '' ? '' : `?${query}`}`),
    text: request.isSignedIn ? 'Log out' : 'Log in',
    form,
  });
};

type SearchPart = 'label' | 'input' | 'button' | 'wrapper';

/** Padding between a search form and the field in it. */
const SEARCH_PADDING = '4px';

const hasFieldColors = (frame: Frame): boolean => !frame.isOld && frame.text('buttonPosition') === 'no-button';

/** CSS of the parts of a search form. WP: unlike that of other blocks, with a space after colons. */
function searchStyles(frame: Frame, isInside: boolean): Record<SearchPart, string[]> {
  const { attributes, theme } = frame;
  const parts: Record<SearchPart, string[]> = { label: [], input: [], button: [], wrapper: [] };
  const add = (to: readonly SearchPart[], property: string, value: unknown): void => {
    if (!isEmpty(value)) for (const part of to) parts[part].push(`${property}: ${toStr(value)};`);
  };
  const own = (path: string): unknown => at(attributes.style, path);
  if (!isEmpty(attributes.widthUnit) && !isEmpty(attributes.width))
    add(['wrapper'], 'width', `${Math.trunc(Number(attributes.width))}${frame.text('widthUnit')}`);
  const outer: SearchPart[] = isInside ? ['wrapper'] : ['button', 'input'];
  for (const property of ['width', 'color', 'style'])
    for (const side of ['', 'top', 'right', 'bottom', 'left']) {
      const value = own(side === '' ? `border.${property}` : `border.${side}.${property}`);
      const slug = typeof value === 'string' && side !== '' ? /^var:preset\|color\|(.*)$/.exec(value)?.[1] : undefined;
      add(
        outer,
        side === '' ? `border-${property}` : `border-${side}-${property}`,
        slug === undefined ? value : `var(--wp--preset--color--${slug})`,
      );
    }
  const radius = own('border.radius');
  for (const [corner, value] of isRecord(radius) ? Object.entries(radius) : [['', radius] as const]) {
    const property = `border-${corner.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}${corner === '' ? '' : '-'}radius`;
    const length = corner === '' && isNumeric(value) ? `${toStr(value)}px` : cssValue(toStr(value));
    add(['input', 'button'], property, isEmpty(value) ? '' : length);
    if (isInside && (Number.parseInt(length, 10) || length.startsWith('var(')))
      add(['wrapper'], property, `calc(${length} + ${SEARCH_PADDING})`);
  }
  // WP: since 7.1, colors are those of the field if there is no button.
  const colored = hasFieldColors(frame) ? 'input' : 'button';
  for (const [property, name] of Object.entries(tables.searchColors)) add([colored], property, own(`color.${name}`));
  for (const [property, name] of Object.entries(tables.searchTexts)) {
    const value = own(`typography.${name}`);
    add(['label', 'button', 'input'], property, name === 'fontSize' && !isEmpty(value) ? fluidSize(toStr(value), theme) : value);
  }
  add(frame.is('showLabel') ? ['button', 'label'] : ['button'], 'text-decoration', own('typography.textDecoration'));
  return parts;
}

const search: Renderer = (frame) => {
  const { attributes, references, isOld } = frame;
  const text = (name: string): string => (typeof attributes[name] === 'string' ? frame.text(name) : 'Search');
  const [label, position] = [text('label'), frame.text('buttonPosition')];
  const isInside = position === 'button-inside';
  const classesIn = (group: string): string =>
    styled(attributes.style, attributes, (path) => path.startsWith(`${group}.`))
      .classes.map((name) => ` ${name}`)
      .join('');
  const [border, color, type] = ['border', 'color', 'typography'].map(classesIn);
  const rules = searchStyles(frame, isInside);
  const css = (part: SearchPart): string => (rules[part].length === 0 ? '' : ` style="${safeStyle(frame, rules[part])}"`);
  const placeholder = escAttr(frame.text('placeholder'));
  const isFolded = position === 'button-only';
  const values = {
    id: references.counters.next('wp-block-search__input-'),
    hasButton: position !== 'no-button',
    isInside,
    isFolded,
    border: isInside ? '' : border,
    wrapped: isInside ? border : '',
    color,
    fieldColor: hasFieldColors(frame) ? color : '',
    type,
    labelType: frame.is('showLabel') && label !== '' ? type : ' screen-reader-text',
    labelText: label === '' ? 'Search' : kept(frame, label),
    buttonLabel: escAttr(stripAllTags(text('buttonText'))),
    buttonText: kept(frame, text('buttonText')),
    buttonIcon: svg(' class="search-icon"'),
    placeholder: isOld ? placeholder : placeholder.replaceAll('&#039;', '&apos;'),
    hidden: Object.entries(isRecord(attributes.query) ? attributes.query : {})
      .map(([name, value]) => `<input type="hidden" name="${escAttr(name)}" value="${escAttr(String(value))}" />`)
      .join(''),
    ...Object.fromEntries((['label', 'input', 'button', 'wrapper'] as const).map((part) => [`${part}Css`, css(part)])),
    isLandmark: !isOld && frame.text('tagName') === 'search',
  };
  return filled(frame, 'core/search', { ...values, own: wrapper(frame, { class: filled(frame, 'search-classes', values) }) });
};

/** The network that a social link leads to. */
const socialLink: Renderer = (frame) => {
  const { attributes } = frame;
  const outer = frame.around('core/social-links');
  const service = typeof attributes.service === 'string' ? attributes.service : 'Icon';
  const sent = frame.text('url');
  const address = isEmail(sent) ? `mailto:${antispam(sent)}` : sent;
  const url = /^[a-z][a-z0-9+.-]*:/i.test(address) || /^(?:\/\/|#)/.test(address) ? address : `https://${address}`;
  const isOutside = outer?.is('openInNewTab') === true;
  const colors = ['iconColor', 'iconColorValue', 'iconBackgroundColor', 'iconBackgroundColorValue'];
  return filled(frame, 'core/social-link', {
    ...Object.fromEntries(colors.map((name) => [name, outer?.text(name)])),
    url: sent,
    service,
    address: escUrl(url),
    isOutside,
    to: escAttr(`${frame.text('rel')}${isOutside ? ' noopener nofollow' : ''}`.trim()),
    showLabels: outer?.is('showLabels'),
    name: escHtml(frame.text('label').trim() || (SERVICES.get(service) ?? '')),
  });
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

/** A page or term and all above it, the outermost first. */
function branch<Of extends Post | Term>(last: Of | undefined, find: (id: number) => Of | null | undefined): Of[] {
  const found: Of[] = [];
  for (let each = last; each && !found.some(({ _id }) => _id === each?._id); each = find(each.parent) ?? undefined) found.unshift(each);
  return found;
}

/** The term of a post in its first taxonomy that has one, and all above it. */
function termCrumbs({ references: { ask, site } }: Frame, post: Post): Crumb[] {
  const taxonomy = site?.taxonomiesOf(post.type).find((name) => (post.terms[name] ?? []).length > 0);
  if (!site || taxonomy === undefined) return [];
  const { terms, known } = ask('termIds', post.terms[taxonomy] ?? []);
  const [term] = terms.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1));
  return branch(term, (id) => known.get(id)).map((each) => ({ text: each.name, url: site.termUrl(each, known) }));
}

const breadcrumbs: Renderer = (frame) => {
  const { post, site, linkTo, ask } = frame.references;
  if (!post || !site) return '';
  const archive = site.archive(post.type);
  const isNested = post.type === PAGE || post.parent > 0;
  const titled = (each: Post): string => renderTitle(each.title) || '(no title)';
  const crumbs: Crumb[] = [
    ...(frame.is('showHomeItem') ? [{ text: 'Home', url: `${site.url}/` }] : []),
    ...(archive ? [{ text: archive.label, url: archive.url }] : []),
    ...(isNested && !frame.is('prefersTaxonomy')
      ? branch(post, (id) => (id > 0 ? ask('post', id) : null))
          .slice(0, -1)
          .map((each) => ({ text: titled(each), url: linkTo(each) }))
      : termCrumbs(frame, post)),
    ...(frame.is('showCurrentItem') ? [{ text: titled(post) }] : []),
  ];
  return filled(frame, 'core/breadcrumbs', {
    separator: frame.text('separator').replace(/[\\"]/g, '\\$&'),
    items: crumbs.map(({ text, url = '' }) => filled(frame, 'crumb', { text, url: escUrl(url) })).join(''),
  });
};

/** WP: a widget of the time before blocks. Only texts are known here. */
const legacyWidget: Renderer = (frame) => {
  const raw = at(frame.attributes, 'instance.raw');
  const [title, text] = ['title', 'text'].map((name) => toStr(at(raw, name)));
  return filled(frame, 'core/legacy-widget', { known: frame.text('idBase') === 'text', title, text });
};

/** Blocks that show parts of the site, and links. */
export const SITE_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/loginout': signIn,
  'core/search': search,
  'core/social-link': socialLink,
  'core/block': pattern,
  'core/breadcrumbs': breadcrumbs,
  'core/icon': (frame) => filled(frame, 'core/icon', { known: ICONS.has(frame.text('icon')) }),
  'core/legacy-widget': legacyWidget,
};
