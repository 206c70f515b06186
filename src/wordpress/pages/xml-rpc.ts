import { xmlText } from '../formatting/xml.js';
import type { PageRequest } from '../rest/request.js';

/** The methods of WordPress, by the program whose interface they copy, in their order. */
const METHODS = Object.entries({
  wp:
    'getUsersBlogs newPost editPost deletePost getPost getPosts newTerm editTerm deleteTerm getTerm getTerms getTaxonomy getTaxonomies getUser ' +
    'getUsers getProfile editProfile getPage getPages newPage deletePage editPage getPageList getAuthors getCategories getTags newCategory ' +
    'deleteCategory suggestCategories uploadFile deleteFile getCommentCount getPostStatusList getPageStatusList getPageTemplates getOptions ' +
    'setOptions getComment getComments deleteComment editComment newComment getCommentStatusList getMediaItem getMediaLibrary getPostFormats ' +
    'getPostType getPostTypes getRevisions restoreRevision',
  blogger: 'getUsersBlogs getUserInfo getPost getRecentPosts newPost editPost deletePost',
  metaWeblog: 'newPost editPost getPost getRecentPosts getCategories newMediaObject deletePost getUsersBlogs',
  mt:
    'getCategoryList getRecentPostTitles getPostCategories setPostCategories supportedMethods supportedTextFilters getTrackbackPings ' +
    'publishPost',
  pingback: 'ping extensions.getPingbacks',
  demo: 'sayHello addTwoNumbers',
}).flatMap(([program, names]) => names.split(' ').map((name) => `${program}.${name}`));

const SYSTEM = ['system.getCapabilities', 'system.listMethods', 'system.multicall'];

const text = (value: string): string => `<string>${xmlText(value)}</string>`;
const list = (values: readonly string[]): string =>
  `<array><data>\n${values.map((value) => `  <value>${text(value)}</value>\n`).join('')}</data></array>`;

/** The methods that do nothing, with their results. */
const RESULTS: Readonly<Record<string, string>> = {
  'system.listMethods': list([...METHODS, ...SYSTEM].toReversed()),
  'mt.supportedMethods': list(METHODS),
  'mt.supportedTextFilters': list([]),
  'demo.sayHello': text('Hello!'),
};

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<methodResponse>\n';

const fault = (code: number, message: string): string => `${HEAD}  <fault>
    <value>
      <struct>
        <member>
          <name>faultCode</name>
          <value><int>${code}</int></value>
        </member>
        <member>
          <name>faultString</name>
          <value>${text(message)}</value>
        </member>
      </struct>
    </value>
  </fault>
</methodResponse>
`;

/** Responds to a call. WP: as a site whose service is disabled for all methods that read or write content, as here. */
export function callResult({ body }: Pick<PageRequest, 'body'>): string {
  const [, name] = /<methodCall>[^<]*<methodName>([^<]*)<\/methodName>/.exec(body.toString('utf8')) ?? [];
  if (name === undefined) return fault(-32700, 'parse error. not well formed');
  const method = name.trim();
  if (Object.hasOwn(RESULTS, method))
    return `${HEAD}  <params>\n    <param>\n      <value>\n      ${RESULTS[method]}\n      </value>\n    </param>\n  </params>\n</methodResponse>\n`;
  if (METHODS.includes(method) || SYSTEM.includes(method)) return fault(405, 'XML-RPC services are disabled on this site.');
  return fault(-32601, `server error. requested method ${method} does not exist.`);
}
