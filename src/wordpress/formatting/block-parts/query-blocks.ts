import { toStr } from '../../../base/php/cast.js';
import type { PostQuery, TermClause } from '../../query/post-query.js';
import { parseSearch } from '../../query/search.js';
import { isRecord } from '../../../base/values/records.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { phpTrim } from '../strip-tags.js';
import { sanitizeTitle } from '../slug.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { linkColor, orderOf } from './list-blocks.js';
import { classesOf, headingOf } from './post-blocks.js';
import { at } from './styles.js';
import { edited, joined } from './tags.js';

type Query = Readonly<Record<string, unknown>>;

const numbers = (list: unknown): number[] => (Array.isArray(list) ? list.map(Number).filter((id) => id > 0) : []);

const queryOf = (frame: Frame): Query => {
  const query = frame.around('core/query')?.attributes.query;
  return isRecord(query) ? query : {};
};

/** WP: the number of posts of a page that the settings have at first. */
const USUAL_COUNT = 10;
const MOST = 100;

const pageKey = (frame: Frame): string => {
  const id = frame.around('core/query')?.attributes.queryId;
  return typeof id === 'number' ? `query-${id}-page` : 'query-page';
};

const requested = ({ references: { request } }: Frame): URL => new URL(request.url || '/', 'http://localhost');

const pageOf = (frame: Frame): number => Math.max(1, Math.trunc(Number(requested(frame).searchParams.get(pageKey(frame)) ?? 1)) || 1);

const perPage = ({ perPage: count }: Query): number => Math.min(typeof count === 'number' && count > 0 ? count : USUAL_COUNT, MOST);

/** Filters by terms. WP: by taxonomy, or the old ones of categories and tags. */
function termsIn({ taxQuery, categoryIds, tagIds }: Query): TermClause[] {
  const own = isRecord(taxQuery) ? taxQuery : {};
  const clauses = Object.entries(isRecord(own.include) || isRecord(own.exclude) ? {} : own).map(([taxonomy, ids]) => ({
    taxonomy,
    ids: numbers(ids),
  }));
  const sided = (['include', 'exclude'] as const).flatMap((side) =>
    Object.entries(isRecord(own[side]) ? own[side] : {}).map(([taxonomy, ids]) => ({
      taxonomy,
      ids: numbers(ids),
      match: side === 'include' ? ('any' as const) : ('none' as const),
    })),
  );
  const old = [
    { taxonomy: 'category', ids: numbers(categoryIds) },
    { taxonomy: 'post_tag', ids: numbers(tagIds) },
  ];
  return [...clauses, ...sided, ...old].filter(({ ids }) => ids.length > 0);
}

function postQuery(frame: Frame): PostQuery {
  const query = queryOf(frame);
  const [terms, excluded, parents] = [termsIn(query), numbers(query.exclude), numbers(query.parents)];
  const authors = toStr(query.author)
    .split(',')
    .map(Number)
    .filter((id) => id > 0);
  const search = typeof query.search === 'string' && query.search !== '' ? { search: parseSearch(query.search) } : {};
  const sticky = query.sticky === 'only' ? { sticky: true } : query.sticky === 'exclude' ? { sticky: false } : {};
  const count = perPage(query);
  return {
    type: typeof query.postType === 'string' && query.postType !== '' ? query.postType : 'post',
    statuses: ['publish'],
    ...(terms.length > 0 ? { terms } : {}),
    ...(excluded.length > 0 ? { excludeIds: excluded } : {}),
    ...(parents.length > 0 ? { parents } : {}),
    ...(authors.length > 0 ? { authors } : {}),
    ...search,
    ...sticky,
    sort: { by: orderOf(query.orderBy), descending: toStr(query.order ?? 'desc').toLowerCase() !== 'asc' },
    limit: count,
    offset: count * (pageOf(frame) - 1) + Math.max(Math.trunc(Number(query.offset ?? 0)) || 0, 0),
  };
}

/** Results of the query around a block, and the number of its pages. */
function results(frame: Frame): { readonly isEmpty: boolean; readonly total: number; readonly pages: number } {
  const { posts, total } = frame.references.ask('posts', postQuery(frame));
  const query = queryOf(frame);
  const rest = Math.max(total - (Math.trunc(Number(query.offset ?? 0)) || 0), 0);
  const [all, most] = [Math.ceil(rest / perPage(query)), Math.trunc(Number(query.pages ?? 0)) || 0];
  return { isEmpty: posts.length === 0, total, pages: most > 0 ? Math.min(all, most) : all };
}

const template: Renderer = (frame) => {
  const { references, attributes, block, scope } = frame;
  const { posts } = references.ask('posts', postQuery(frame));
  if (posts.length === 0) return '';
  const old = frame.around('core/query')?.attributes.displayLayout;
  const columns = at(attributes, 'layout.columnCount');
  const classes = [
    ...(isRecord(old) && old.type === 'flex' ? [`is-flex-container columns-${String(old.columns)}`] : []),
    ...linkColor(frame),
    ...(at(attributes, 'layout.type') === 'grid' && columns ? [sanitizeTitle(`columns-${toStr(columns)}`)] : []),
  ];
  const isInteractive = frame.around('core/query')?.is('enhancedPagination') === true;
  const items = posts.map((post) => {
    const shown = scope.show(block.parts, frame, { ...scope, references: { ...references, post } });
    const ids = Object.values(post.terms).flat();
    const names = references.site?.classesOf(post, ids.length > 0 ? references.ask('termIds', ids).terms : []) ?? [];
    const key = isInteractive ? ` data-wp-key="post-template-item-${post._id}"` : '';
    return `<li${key} class="${escAttr(['wp-block-post', ...names].join(' '))}">${shown}</li>`;
  });
  return `<ul ${wrapper(frame, { class: classes.join(' ') })}>${items.join('')}</ul>`;
};

const query: Renderer = (frame, html) => {
  const { queryId, enhancedPagination } = frame.attributes;
  if (enhancedPagination !== true || typeof queryId !== 'number') return html;
  return edited(html, {}, (tag) =>
    tag.setAll({
      'data-wp-interactive': 'core/query',
      'data-wp-router-region': `query-${queryId}`,
      'data-wp-context': '{}',
      'data-wp-key': String(queryId),
    }),
  );
};

const noResults: Renderer = (frame, html) => {
  const text = joined(html);
  if (phpTrim(text) === '' || !results(frame).isEmpty) return '';
  return `<div ${wrapper(frame, { class: linkColor(frame).join(' ') })}>${text}</div>`;
};

const pagination: Renderer = (frame, html) => {
  const text = joined(html);
  if (phpTrim(text) === '') return '';
  return `<nav ${wrapper(frame, { 'aria-label': 'Pagination', class: linkColor(frame).join(' ') })}>${text}</nav>`;
};

/** The address of the request with the number of another page of a list. */
function addressOf(frame: Frame, page: number | null): string {
  const url = requested(frame);
  url.searchParams.delete(pageKey(frame));
  if (page !== null) url.searchParams.set(pageKey(frame), String(page));
  return `${url.pathname}${url.search}`;
}

const ARROWS = { arrow: { next: '→', previous: '←' }, chevron: { next: '»', previous: '«' } } as const;

const neighbor =
  (side: 'next' | 'previous'): Renderer =>
  (frame) => {
    const [page, { pages }] = [pageOf(frame), results(frame)];
    const target = side === 'next' ? page + 1 : page - 1;
    if (target < 1 || target > pages) return '';
    const outer = frame.around('core/query-pagination');
    const text = frame.text('label') === '' ? `${side === 'next' ? 'Next' : 'Previous'} Page` : escHtml(frame.text('label'));
    const isShown = outer?.attributes.showLabel !== false;
    const kind = outer?.text('paginationArrow') ?? '';
    const sign = Object.hasOwn(ARROWS, kind) ? ARROWS[kind as keyof typeof ARROWS][side] : '';
    const arrow =
      sign === '' ? '' : `<span class='wp-block-query-pagination-${side}-arrow is-arrow-${kind}' aria-hidden='true'>${sign}</span>`;
    const own: Record<string, string> = isShown ? {} : { 'aria-label': text };
    const label = isShown ? text : '';
    const shown = side === 'next' ? label + arrow : arrow + label;
    return `<a href="${escUrl(addressOf(frame, target))}" ${wrapper(frame, { ...own, class: linkColor(frame).join(' ') })}>${shown}</a>`;
  };

const pageNumbers: Renderer = (frame) => {
  const { pages } = results(frame);
  if (pages < 2) return '';
  const [page, middle] = [pageOf(frame), frame.number('midSize', 2)];
  const others = new URLSearchParams(requested(frame).search);
  others.delete(pageKey(frame));
  const rest = others.toString();
  const links: string[] = [];
  let hasDots = false;
  for (let each = 1; each <= pages; each += 1) {
    const isEnd = each === 1 || each === pages;
    if (each === page) links.push(`<span aria-current="page" class="page-numbers current">${each}</span>`);
    else if (isEnd || Math.abs(each - page) <= middle)
      links.push(`<a class="page-numbers" href="${escUrl(`?${pageKey(frame)}=${each}${rest === '' ? '' : `&${rest}`}`)}">${each}</a>`);
    else if (!hasDots) links.push('<span class="page-numbers dots">&hellip;</span>');
    hasDots = each !== page && !isEnd && Math.abs(each - page) > middle;
  }
  return `<div ${wrapper(frame)}>${links.join('\n')}</div>`;
};

const termTemplate: Renderer = (frame) => {
  const { references, block, scope } = frame;
  const asked = frame.around('core/terms-query')?.attributes.termQuery;
  const termQuery: Query = isRecord(asked) ? asked : {};
  const [include, exclude] = [numbers(termQuery.include), numbers(termQuery.exclude)];
  const by = termQuery.orderBy;
  const { terms } = references.ask('terms', {
    taxonomy: typeof termQuery.taxonomy === 'string' && termQuery.taxonomy !== '' ? termQuery.taxonomy : 'category',
    ...(termQuery.hideEmpty === false ? {} : { hideEmpty: 'used' as const }),
    ...(include.length > 0 ? { include } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
    ...(typeof termQuery.parent === 'number' ? { parent: termQuery.parent } : {}),
    orderBy: by === 'count' || by === 'slug' || by === 'id' ? by : 'name',
    descending: termQuery.order === 'desc',
    limit: perPage(termQuery),
    offset: 0,
  });
  if (terms.length === 0) return '';
  const items = terms.map((term) => {
    const classes = `wp-block-term term-${term._id} ${term.taxonomy} taxonomy-${term.taxonomy}`;
    return `<li class="${classes}">${scope.show(block.parts, frame, { ...scope, term })}</li>`;
  });
  return `<ul ${wrapper(frame)}>${items.join('')}</ul>`;
};

const termName: Renderer = (frame) => {
  const { term } = frame.scope;
  if (!term) return '';
  const { site, ask } = frame.references;
  const tag = headingOf(frame.number('level'));
  const url = frame.is('isLink') ? escUrl(site?.termUrl(term, ask('termIds', [term._id]).known) ?? '') : '';
  return `<${tag} ${wrapper(frame, classesOf(frame))}>${url === '' ? term.name : `<a href="${url}">${term.name}</a>`}</${tag}>`;
};

const BRACKETS = new Map([
  ['none', ['', '']],
  ['round', ['(', ')']],
  ['square', ['[', ']']],
  ['curly', ['{', '}']],
  ['angle', ['&lt;', '&gt;']],
]);

const termCount: Renderer = (frame) => {
  const { term } = frame.scope;
  if (!term) return '';
  const [open = '', close = ''] = BRACKETS.get(frame.text('bracketType')) ?? [];
  return `<div ${wrapper(frame, classesOf(frame))}>${open}${term.count}${close}</div>`;
};

const termDescription: Renderer = (frame) => {
  const { term } = frame.scope;
  return !term || term.description === '' ? '' : `<div ${wrapper(frame, classesOf(frame))}><p>${term.description}</p>\n</div>`;
};

/** Blocks that show the results of queries. */
export const QUERY_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/query': query,
  'core/post-template': template,
  'core/query-no-results': noResults,
  'core/query-pagination': pagination,
  'core/query-pagination-next': neighbor('next'),
  'core/query-pagination-previous': neighbor('previous'),
  'core/query-pagination-numbers': pageNumbers,
  'core/term-template': termTemplate,
  'core/term-name': termName,
  'core/term-count': termCount,
  'core/term-description': termDescription,
};
