import { CATEGORY, PAGE, POST, TAG, type Post, type Term, type User } from '../model.js';
import { permalink } from '../posts/permalinks.js';
import { countPosts, listPosts, pagesAbove } from '../posts/posts.js';
import { loadRelated, type Related } from '../posts/related.js';
import type { Site } from '../site.js';
import type { PostQuery } from '../query/post-query.js';
import { withDescendants, corePath } from '../terms/terms.js';
import { html, type Html } from '../views/html.js';
import { sanitizeTextField } from '../formatting/sanitize.js';
import { foldForSearch } from '../formatting/accents.js';
import { isSearched, parseSearch } from '../query/search.js';
import { buildQuery, urlencode } from '../../base/php/query-string.js';
import { isCoreContent, fillHtml, type Shown, type Reading } from '../views/reading.js';
import { archiveUrl, authorUrl, datesUrl, feedUrl, pageUrl, urlOfTerm } from '../links.js';
import { publishedWithin, typesListedBy } from '../views/find.js';
import type { PageFeed } from './layout.js';
import { icon } from './parts.js';
import { contentOf, lineOf, siteDescription, siteName, teaserOf, titleOf } from '../views/texts.js';

/** A blog post in a list. */
interface Entry {
  title: Html;
  url: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Its beginning; null if it is password-protected. */
  teaser: Html | null;
}

/** A list of blog posts. */
interface Subject {
  heading: Html;
  title: Html;
  isFront?: boolean;
  /** Its own feed, besides the site's. */
  feed: PageFeed | null;
  description: Html | null;
  url: string;
  /** Query of the URLs of its pages. */
  query: string;
  filter: Partial<PostQuery>;
  /** Path of what the list is about in the core API. */
  core?: string;
  isPublic: boolean;
}

interface BlogPage extends Subject {
  entries: Entry[];
  page: number;
  pages: number;
}

const entryOf = (post: Post, related: Related, { site }: Reading): Entry => ({
  title: titleOf(post),
  url: permalink(post, site, false),
  date: post.date.slice(0, 10),
  teaser: post.password === '' ? teaserOf(post.excerpt || contentOf(post, { site, related }).text) : null,
});

/** Maximum length of a search. */
const LONGEST = 200;

/** WP: results are in the order of their relevance, and not for readers without a password. */
const resultsFor = (search: string): Partial<PostQuery> => ({
  search: parseSearch(search),
  withoutPassword: true,
  sort: { by: 'relevance', phrase: foldForSearch(search), descending: true },
});

const feedOf = (text: string, name: Html, url: string, site: Site): PageFeed => ({
  title: fillHtml(text, { site: siteName(site), name }),
  url,
});

export const searchFeed = (words: string, { site, texts }: Pick<Reading, 'site' | 'texts'>): PageFeed =>
  feedOf(texts.searchFeed, html`${words}`, `${site.url}/search/${urlencode(words).replaceAll('%2F', '/')}/feed/rss2/`, site);

/** WP: the feed of a term, named by its taxonomy. */
export async function termFeed(term: Term, { site, texts }: Reading): Promise<PageFeed> {
  const text = term.taxonomy === CATEGORY ? texts.categoryFeed : term.taxonomy === TAG ? texts.tagFeed : texts.pageFeed;
  return feedOf(text, lineOf(term.name), feedUrl(site, await urlOfTerm(term, site)), site);
}

export const authorFeed = (author: User, { site, texts }: Reading): PageFeed =>
  feedOf(texts.authorFeed, html`${author.displayName}`, feedUrl(site, authorUrl(site, author)), site);

/** Path of a user in the core API. */
export const authorPath = ({ _id }: Pick<User, '_id'>): string => `/wp/v2/users/${_id}`;

/** WP: a search of the whole site, whose URL is the front page's. */
function searchIn(words: string, { site, texts }: Reading): Subject {
  const search = sanitizeTextField(words).slice(0, LONGEST);
  const query = `?${buildQuery({ s: search })}`;
  return {
    heading: fillHtml(texts.resultsFor, { words: search }),
    title: fillHtml(texts.searchTitle, { words: search }),
    feed: searchFeed(search, { site, texts }),
    description: null,
    url: `${site.url}/`,
    query,
    filter: { type: [POST, PAGE], ...(isSearched(search) ? resultsFor(search) : {}) },
    isPublic: false,
  };
}

/** WP: a year, a month or a day in words. */
const titleOfDates = (range: string, { dates }: Reading): Html =>
  html`${range.length === 4 ? range : range.length === 7 ? dates.month(`${range}-01`) : dates.days(range, range)}`;

const ALL = { description: null, query: '', isPublic: true };

/** The list of blog posts at an address; null if it is none. WP: categories with their descendants. */
async function subjectOf(found: Shown, reading: Reading): Promise<Subject | null> {
  const { site, request } = reading;
  if (!isCoreContent(found)) return null;
  switch (found.kind) {
    case 'front':
      return typeof request.query.s === 'string'
        ? searchIn(request.query.s, reading)
        : {
            ...ALL,
            heading: found.post ? titleOf(found.post) : siteName(site),
            title: found.post ? titleOf(found.post) : siteName(site),
            isFront: !found.post,
            feed: null,
            description: siteDescription(site),
            url: found.post ? permalink(found.post, site, false, await pagesAbove(site.store, [found.post])) : `${site.url}/`,
            filter: { type: [POST, ...reading.plugins.flatMap(({ typesInBlog }) => typesInBlog?.(site.options) ?? [])] },
          };
    case 'term': {
      const { taxonomy, _id, name, description } = found.term;
      return {
        ...ALL,
        heading: lineOf(name),
        title: lineOf(name),
        feed: await termFeed(found.term, reading),
        description: description === '' ? null : lineOf(description),
        url: await urlOfTerm(found.term, site),
        filter: {
          type: typesListedBy(taxonomy, site),
          terms: [{ taxonomy, ids: await withDescendants(site.store, taxonomy, [_id]) }],
        },
        core: corePath(found.term, site.registry),
      };
    }
    case 'archive': {
      const { name, label, description } = found.type;
      const url = archiveUrl(site, found.type);
      return {
        ...ALL,
        heading: html`${label}`,
        title: html`${label}`,
        feed: feedOf(reading.texts.pageFeed, html`${label}`, feedUrl(site, url), site),
        description: description ? lineOf(description) : null,
        url,
        filter: { type: name },
      };
    }
    case 'author': {
      const { author } = found;
      return {
        ...ALL,
        heading: html`${author.displayName}`,
        title: html`${author.displayName}`,
        feed: authorFeed(author, reading),
        url: authorUrl(site, author),
        filter: { authors: [author._id] },
        core: authorPath(author),
      };
    }
    case 'dates': {
      const { dates } = found;
      const heading = html`${dates}`;
      return {
        ...ALL,
        heading,
        title: titleOfDates(dates, reading),
        feed: null,
        url: datesUrl(dates, site),
        filter: { published: publishedWithin(dates) },
      };
    }
    case 'post':
      return null;
  }
}

/** Posts of one page. WP: unlimited. */
const MOST = 500;

/** WP: 0 stands for the default, a negative number for all. */
function perPage({ options }: Site): number {
  const size = Math.trunc(Number(options.postsPerPage)) || 10;
  return size < 0 ? MOST : Math.min(size, MOST);
}

/** A page of blog posts, the newest first; null beyond the last one, or for other content. */
export async function blogPageData(found: Shown, reading: Reading): Promise<BlogPage | null> {
  const subject = await subjectOf(found, reading);
  return subject && 'page' in found ? pageOf(subject, found.page, reading) : null;
}

async function pageOf(subject: Subject, page: number, reading: Reading): Promise<BlogPage | null> {
  const { site } = reading;
  const size = perPage(site);
  const query: PostQuery = {
    type: POST,
    statuses: ['publish'],
    sort: 'newest',
    ...subject.filter,
    limit: size,
    offset: (page - 1) * size,
  };
  const pages = Math.max(1, Math.ceil((await countPosts(site.store, query)) / size));
  if (page > pages) return null;
  const posts = await listPosts(site.store, query);
  const related = await loadRelated(site.store, posts);
  return { ...subject, entries: posts.map((post) => entryOf(post, related, reading)), page, pages };
}

const entry = ({ title, url, date, teaser }: Entry, { dates }: Reading): Html =>
  html`<li class="card">
    <div class="card-text">
      <h2><a href="${url}">${title}</a></h2>
      <p class="facts">${icon('clock')}<time datetime="${date}">${dates.day(date)}</time></p>
      ${teaser && html`<p class="teaser">${teaser}</p> `}
    </div>
  </li> `;

const urlOfPage = ({ url, query }: BlogPage, page: number, { site }: Reading): string => `${pageUrl(site, url, page)}${query}`;

function pager(data: BlogPage, reading: Reading): Html | null {
  const { texts } = reading;
  const { page, pages } = data;
  if (pages === 1) return null;
  return html`<nav class="pager" aria-label="${texts.pages}">
    ${page > 1 ? html`<a href="${urlOfPage(data, page - 1, reading)}" rel="prev">${icon('left')}<span>${texts.previousPage}</span></a> ` : null}
    ${page < pages ? html`<a class="next" href="${urlOfPage(data, page + 1, reading)}" rel="next"><span>${texts.nextPage}</span>${icon('right')}</a> ` : null}
  </nav>`;
}

export const blogPage = (data: BlogPage, reading: Reading): Html =>
  html`<header class="page-head">
      <h1>${data.heading}</h1>
      ${data.description && html`<p class="lead">${data.description}</p> `}
    </header>
    ${
      data.entries.length === 0
        ? null
        : html`<ol class="cards">
            ${data.entries.map((each) => entry(each, reading))}
          </ol>`
    }
    ${pager(data, reading)}`;
