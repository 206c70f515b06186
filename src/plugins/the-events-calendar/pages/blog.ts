import type { Post, Term } from '../../../wordpress/model.js';
import { POST } from '../../../wordpress/model.js';
import { permalink } from '../../../wordpress/posts/permalinks.js';
import { countPosts, listPosts } from '../../../wordpress/posts/posts.js';
import { loadRelated, type Related } from '../../../wordpress/posts/related.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { withDescendants } from '../../../wordpress/terms/terms.js';
import { html, type Html } from '../../../wordpress/views/html.js';
import { urlOfTerm } from '../views/links.js';
import { publishedWithin } from '../views/find.js';
import { listedPerPage } from '../views/listing.js';
import { icon } from './parts.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import { contentOf, lineOf, teaserOf, titleOf } from '../../../wordpress/views/texts.js';

/** A blog post in a list. */
interface Entry {
  title: Html;
  url: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Its beginning; null if it is password-protected. */
  teaser: Html | null;
}

/** The posts of a category, the newest first. */
interface BlogPage {
  heading: Html;
  description: Html | null;
  entries: Entry[];
  url: string;
  page: number;
  pages: number;
}

const entryOf = (post: Post, related: Related, { site }: Reading): Entry => ({
  title: titleOf(post),
  url: permalink(post, site, false),
  date: post.date.slice(0, 10),
  teaser: post.password === '' ? teaserOf(post.excerpt || contentOf(post, { site, related }).text) : null,
});

/** The scope of a list of blog posts. */
type Subject = Pick<BlogPage, 'heading' | 'description' | 'url'> & { filter: Partial<PostQuery> };

/** The data of the page of a category of blog posts (WP: with its descendants); null beyond its last page. */
export async function blogPageData(term: Term, page: number, reading: Reading): Promise<BlogPage | null> {
  const { site } = reading;
  const ids = await withDescendants(site.store, term.taxonomy, [term._id]);
  const heading = lineOf(term.name);
  const description = term.description === '' ? null : lineOf(term.description);
  const filter = { terms: [{ taxonomy: term.taxonomy, ids }] };
  return pageOf({ heading, description, url: await urlOfTerm(term, site), filter }, page, reading);
}

/** The same for the blog posts of a year, a month or a day. @param dates `2026`, `2026-06` or `2026-06-15` */
export async function datesPageData(dates: string, page: number, reading: Reading): Promise<BlogPage | null> {
  const url = `${reading.site.url}/${dates.replaceAll('-', '/')}/`;
  return pageOf({ heading: html`${dates}`, description: null, url, filter: { published: publishedWithin(dates) } }, page, reading);
}

async function pageOf({ heading, description, url, filter }: Subject, page: number, reading: Reading): Promise<BlogPage | null> {
  const { site } = reading;
  const size = listedPerPage(site);
  const query: PostQuery = {
    type: POST,
    statuses: ['publish'],
    ...filter,
    sort: 'newest',
    limit: size,
    offset: (page - 1) * size,
  };
  const pages = Math.max(1, Math.ceil((await countPosts(site.store, query)) / size));
  if (page > pages) return null;
  const posts = await listPosts(site.store, query);
  const related = await loadRelated(site.store, posts);
  return {
    heading,
    description,
    entries: posts.map((post) => entryOf(post, related, reading)),
    url,
    page,
    pages,
  };
}

const entry = ({ title, url, date, teaser }: Entry, { dates }: Reading): Html =>
  html`<li class="card">
    <div class="card-text">
      <h2><a href="${url}">${title}</a></h2>
      <p class="facts">${icon('clock')}<time datetime="${date}">${dates.day(date)}</time></p>
      ${teaser && html`<p class="teaser">${teaser}</p> `}
    </div>
  </li> `;

const urlOfPage = ({ url }: BlogPage, page: number): string => (page === 1 ? url : `${url}page/${page}/`);

/** Address of a page of the list. */
export const blogUrl = (data: BlogPage): string => urlOfPage(data, data.page);

function pager(data: BlogPage, { texts }: Reading): Html | null {
  const { page, pages } = data;
  if (pages === 1) return null;
  return html`<nav class="pager" aria-label="${texts.pages}">
    ${page > 1 ? html`<a href="${urlOfPage(data, page - 1)}" rel="prev">${icon('left')}<span>${texts.previousPage}</span></a> ` : null}
    ${page < pages ? html`<a class="next" href="${urlOfPage(data, page + 1)}" rel="next"><span>${texts.nextPage}</span>${icon('right')}</a> ` : null}
  </nav>`;
}

/** A page with blog posts. */
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
