import { isEmpty, toStr } from '../../../base/php/cast.js';
import { isRecord } from '../../../base/values/records.js';
import { PAGE, POST, type Post } from '../../model.js';
import type { PostQuery, TermClause } from '../../query/post-query.js';
import { parseSearch } from '../../query/search.js';
import { sanitizeTitle } from '../sanitize.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { orderOf } from './list-blocks.js';
import { at } from './styles.js';
import tables from './tables.json' with { type: 'json' };
import { classed, edited, joined, whole } from './tags.js';
import { filled, linkColor } from './template.js';

type Query = Readonly<Record<string, unknown>>;

const numbers = (list: unknown): number[] => (Array.isArray(list) ? list.map(Number).filter((id) => id > 0) : []);

const queryOf = (frame: Frame): Query => {
  const query = frame.around('core/query')?.attributes.query;
  return isRecord(query) ? query : {};
};

/** WP: the number of posts of a page that the settings have at first. */
const USUAL_COUNT = 10;
const MOST = 100;
const NEWEST = { by: 'date', descending: true } as const;

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
  const isSided = isRecord(own.include) || isRecord(own.exclude);
  const clauses = (list: unknown, match: TermClause['match'] = 'any'): TermClause[] =>
    Object.entries(isRecord(list) ? list : {}).map(([taxonomy, ids]) => ({ taxonomy, ids: numbers(ids), match }));
  const wanted = isSided ? [...clauses(own.include), ...clauses(own.exclude, 'none')] : clauses(own);
  return [...wanted, ...clauses({ category: categoryIds, post_tag: tagIds })].filter(({ ids }) => ids.length > 0);
}

function postQuery(frame: Frame): PostQuery {
  const query = queryOf(frame);
  const type = typeof query.postType === 'string' && query.postType !== '' ? query.postType : POST;
  const [terms, excluded, parents] = [termsIn(query), numbers(query.exclude), type === PAGE ? numbers(query.parents) : []];
  const authors = numbers(Array.isArray(query.author) ? query.author : toStr(query.author).split(','));
  const search = typeof query.search === 'string' && query.search !== '' ? { search: parseSearch(query.search) } : {};
  const sticky = query.sticky === 'only' ? { sticky: true } : query.sticky === 'exclude' ? { sticky: false } : {};
  const count = perPage(query);
  return {
    type,
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

/** Results of the query around a block, and the number of its pages. WP: a list of the page that is requested has none in the API. */
function results(frame: Frame): { readonly posts: readonly Post[]; readonly total: number; readonly pages: number } {
  const query = queryOf(frame);
  if (!isEmpty(query.inherit)) return { posts: [], total: 0, pages: 0 };
  const asked = postQuery(frame);
  const { posts, total } = frame.references.ask('posts', asked);
  const [all, most] = [Math.ceil(total / perPage(query)), Math.trunc(Number(query.pages ?? 0)) || 0];
  // WP: sticky posts come first in lists of all posts.
  const { type, terms, authors, search, excludeIds = [] } = asked;
  const isOfAll = isEmpty(query.sticky) && type === POST && !terms && !authors && !search;
  const stuck = isOfAll
    ? frame.references.ask('posts', { type, statuses: asked.statuses, sticky: true, sort: NEWEST, limit: MOST, offset: 0 })
    : null;
  const first = stuck?.posts.filter(({ _id }) => !excludeIds.includes(_id)) ?? [];
  const ids = new Set(first.map(({ _id }) => _id));
  return { posts: [...first, ...posts.filter(({ _id }) => !ids.has(_id))], total, pages: most > 0 ? Math.min(all, most) : all };
}

/** Shows one post or term. WP: its first element has the class for colored links of the block around it. */
const item = ({ attributes }: Frame, html: string): string =>
  joined(classed(whole(html), /(?<!\S)wp-elements-\S+/.exec(toStr(attributes.className))?.slice(0, 1) ?? []));

const template: Renderer = (frame) => {
  const { references, attributes, block, scope } = frame;
  const { posts } = results(frame);
  if (posts.length === 0) return '';
  const old = frame.around('core/query')?.attributes.displayLayout;
  const [isGrid, columns] = [at(attributes, 'layout.type') === 'grid', at(attributes, 'layout.columnCount')];
  const classes = [
    ...(isRecord(old) && old.type === 'flex' ? [`is-flex-container columns-${String(old.columns)}`] : []),
    ...linkColor(frame),
    ...(isGrid && columns ? [sanitizeTitle(`columns-${toStr(columns)}`)] : []),
    ...(isGrid && columns && !frame.isOld && !isEmpty(at(attributes, 'layout.minimumColumnWidth')) ? ['has-native-responsive-grid'] : []),
  ];
  const isInteractive = frame.around('core/query')?.is('enhancedPagination') === true;
  const items = posts.flatMap((post) => {
    if (!references.counters.mayList(0)) return [];
    const shown = item(frame, scope.show(block.parts, frame, { ...scope, references: { ...references, post } }));
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

/** The address of the request with the number of another page of a list. */
function addressOf(frame: Frame, page: number | null): string {
  const url = requested(frame);
  url.searchParams.delete(pageKey(frame));
  if (page !== null) url.searchParams.set(pageKey(frame), String(page));
  return `${url.pathname}${url.search}`;
}

const ARROWS = new Map(Object.entries(tables.arrows));

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
    const sign = ARROWS.get(kind)?.[side];
    return filled(frame, `core/query-pagination-${side}`, {
      url: escUrl(addressOf(frame, target)),
      wrapper: wrapper(frame, isShown ? {} : { 'aria-label': text }),
      text: isShown ? text : '',
      arrow: filled(frame, 'pagination-arrow', { side, kind, sign }),
    });
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
  return filled(frame, 'core/query-pagination-numbers', { links: links.join('\n') });
};

/** How many results a query has, or which of them are shown. */
const total: Renderer = (frame) => {
  const { total: all } = results(frame);
  if (frame.text('displayType') !== 'range-display')
    return filled(frame, 'core/query-total', { text: `${all} ${all === 1 ? 'result' : 'results'} found` });
  const count = perPage(queryOf(frame));
  const start = all === 0 ? 0 : (pageOf(frame) - 1) * count + 1;
  const end = Math.min(start + count - 1, all);
  return filled(frame, 'core/query-total', { text: `Displaying ${start === end ? start : `${start} – ${end}`} of ${all}` });
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
    return `<li class="${classes}">${item(frame, scope.show(block.parts, frame, { ...scope, term }))}</li>`;
  });
  return `<ul ${wrapper(frame)}>${items.join('')}</ul>`;
};

const BRACKETS = new Map(Object.entries(tables.brackets));

const termCount: Renderer = (frame) => {
  const [open, close] = BRACKETS.get(frame.text('bracketType')) ?? [];
  return filled(frame, 'core/term-count', { open, close });
};

export const QUERY_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/query': query,
  'core/post-template': template,
  'core/query-no-results': (frame) => filled(frame, 'core/query-no-results', { isEmpty: results(frame).posts.length === 0 }),
  'core/query-pagination-next': neighbor('next'),
  'core/query-pagination-previous': neighbor('previous'),
  'core/query-pagination-numbers': pageNumbers,
  'core/query-total': total,
  'core/term-template': termTemplate,
  'core/term-count': termCount,
};
