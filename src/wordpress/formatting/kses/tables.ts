/** Allowed elements, each with its allowed attributes (lower case). */
export type AllowedHtml = ReadonlyMap<string, ReadonlySet<string>>;

/** Attributes allowed on every element of the post set; `data-*` means all custom ones. */
const GLOBAL_ATTRIBUTES =
  'aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby aria-live ' +
  'class data-* dir hidden id lang role style title xml:lang';

const ALIGNED =
  'article aside details div figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup legend li main nav p section span summary';
const PLAIN =
  'abbr acronym address b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s samp small strike strong sub sup ' +
  'title tt u var';
const CELL = 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width';
const ROW_GROUP = 'align char charoff valign';

/** Attributes of elements of the post set besides the global ones and `align`. */
const OWN_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'download href name rel rev target',
  area: 'alt coords href nohref shape target',
  audio: 'autoplay controls loop muted preload src',
  blockquote: 'cite',
  button: 'disabled name type value',
  caption: 'align',
  col: 'align char charoff span valign width',
  colgroup: 'align char charoff span valign width',
  del: 'datetime',
  details: 'open',
  font: 'color face size',
  hr: 'align noshade size width',
  img: 'align alt border height hspace loading longdesc src usemap vspace width',
  ins: 'cite datetime',
  label: 'for',
  li: 'value',
  map: 'name',
  menu: 'type',
  ol: 'reversed start type',
  pre: 'width',
  q: 'cite',
  table: 'align bgcolor border cellpadding cellspacing rules summary width',
  tbody: ROW_GROUP,
  td: CELL,
  textarea: 'cols disabled name readonly rows',
  tfoot: ROW_GROUP,
  th: CELL,
  thead: ROW_GROUP,
  tr: `bgcolor ${ROW_GROUP}`,
  track: 'default kind label src srclang',
  ul: 'type',
  video: 'autoplay controls height loop muted playsinline poster preload src width',
};

const words = (list: string): string[] => list.split(' ').filter(Boolean);

const postSet = (): AllowedHtml => {
  const names = new Set([...words(ALIGNED), ...words(PLAIN), ...Object.keys(OWN_ATTRIBUTES)]);
  const aligned = new Set(words(ALIGNED));
  const attributes = (name: string): Set<string> =>
    new Set([...words(GLOBAL_ATTRIBUTES), ...(aligned.has(name) ? ['align'] : []), ...words(OWN_ATTRIBUTES[name] ?? '')]);
  // WP: `object` is kept, but its attributes only when it shows a PDF of the site's own uploads. Here they always go.
  return new Map<string, ReadonlySet<string>>([...names].map((name) => [name, attributes(name)] as const)).set('object', new Set());
};

/** The HTML allowed in descriptions and excerpts of users without unfiltered HTML. */
export const POST_HTML: AllowedHtml = postSet();

const INLINE: Readonly<Record<string, string>> = {
  a: 'href title',
  abbr: 'title',
  acronym: 'title',
  b: '',
  blockquote: 'cite',
  cite: '',
  code: '',
  del: 'datetime',
  em: '',
  i: '',
  q: 'cite',
  s: '',
  strike: '',
  strong: '',
};

/** The HTML allowed in comments, term descriptions, and titles of users without unfiltered HTML. */
export const INLINE_HTML: AllowedHtml = new Map(Object.entries(INLINE).map(([name, attributes]) => [name, new Set(words(attributes))]));

/** The HTML allowed in comments: the same, with mentions of users. */
export const COMMENT_HTML: AllowedHtml = new Map([...INLINE_HTML, ['span', new Set(['class'])]]);

/** The HTML allowed in descriptions of terms and users: the same, with more attributes of links. */
export const DESCRIPTION_HTML: AllowedHtml = new Map([...INLINE_HTML, ['a', new Set(words('href rel target title'))]]);

/** TEC: the HTML of an excerpt in `json_ld.description`. Paragraphs and line breaks come from its lines. */
export const TEASER_HTML: AllowedHtml = new Map(
  ['a', 'b', 'em', 'li', 'ol', 'span', 'strong', 'ul'].map((name) => [
    name,
    new Set(words(name === 'a' ? 'class href id rel style target' : 'class id style')),
  ]),
);

/** Attributes whose value is a URL. */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(['cite', 'href', 'longdesc', 'poster', 'src', 'usemap']);

/** Attributes that are dropped when they have a value. */
export const VALUELESS: ReadonlySet<string> = new Set(['download']);

/** The allowed URL schemes. */
export const PROTOCOLS: ReadonlySet<string> = new Set(
  words('http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'),
);

const SIDES = ['top', 'right', 'bottom', 'left'];
const FLOW_SIDES = ['block-start', 'block-end', 'inline-start', 'inline-end'];

const CSS_PROPERTIES =
  'align-content align-items align-self aspect-ratio background background-attachment background-blend-mode background-color ' +
  'background-image background-position background-repeat background-size border border-collapse border-color border-radius ' +
  'border-spacing border-style border-width border-top-left-radius border-top-right-radius border-bottom-left-radius ' +
  'border-bottom-right-radius bottom box-shadow caption-side clear color column-count column-fill column-gap column-rule column-span ' +
  'column-width columns container-type cursor direction filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap ' +
  'float font font-family font-size font-style font-variant font-weight gap grid-auto-columns grid-auto-rows grid-column ' +
  'grid-column-end grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template-columns ' +
  'grid-template-rows height justify-content justify-items justify-self left letter-spacing line-height list-style-type margin max-height ' +
  'max-width min-height min-width object-fit object-position overflow padding position right row-gap text-align text-decoration ' +
  'text-indent text-transform top vertical-align width writing-mode z-index';

/** The properties that a `style` attribute may set, besides custom ones (`--x`). */
export const SAFE_CSS: ReadonlySet<string> = new Set([
  ...words(CSS_PROPERTIES),
  ...[...SIDES, ...FLOW_SIDES].flatMap((side) => [`margin-${side}`, `padding-${side}`]),
  ...SIDES.flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
]);

/** The properties that may contain `url(…)`. */
export const CSS_WITH_URL: ReadonlySet<string> = new Set([
  'background',
  'background-image',
  'cursor',
  'filter',
  'list-style',
  'list-style-image',
]);

/** The properties that may contain a gradient. */
export const CSS_WITH_GRADIENT: ReadonlySet<string> = new Set(['background', 'background-image']);
