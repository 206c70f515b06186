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

/** Elements and attributes that WordPress 6.9 adds. */
const NEWER: Readonly<Record<string, string>> = {
  button: 'aria-haspopup popovertarget popovertargetaction',
  data: 'value',
  details: 'name',
  dialog: 'closedby open popover',
  div: 'popover',
  meter: 'high low max min optimum value',
  progress: 'max value',
  search: '',
  time: 'datetime',
  ul: 'popover role',
  wbr: '',
};

const MATH_ATTRIBUTES = 'displaystyle mathbackground mathcolor mathsize scriptlevel';
const MATH_PLAIN =
  'annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub ' +
  'msubsup msup mtable mtd mtext mtr munder munderover semantics';

/** Attributes of elements of MathML besides those. */
const MATH: Readonly<Record<string, string>> = {
  annotation: 'encoding',
  math: 'display',
  menclose: 'notation',
  mfrac: 'linethickness',
  mi: 'mathvariant',
  mo: 'fence form largeop lspace maxsize minsize movablelimits rspace separator stretchy symmetric',
  mover: 'accent accentunder',
  mpadded: 'depth height lspace voffset width',
  mspace: 'depth height width',
  mtable: 'align columnalign columnlines columnspacing frame framespacing rowalign rowlines rowspacing width',
  mtd: 'columnalign columnspan rowalign rowspan',
  mtr: 'columnalign rowalign',
  munder: 'accent accentunder',
  munderover: 'accent accentunder',
};

/** WordPress 7.1. */
const COMMANDS: Readonly<Record<string, string>> = { button: 'command commandfor' };
const COMMANDS_GLOBAL = 'tabindex';

/**
 * The HTML allowed in descriptions and excerpts of users without unfiltered HTML.
 * @param newer what releases after 6.8 add: elements, among them MathML; attributes for buttons and the keyboard
 */
export function postSet(newer: { elements: boolean; commands: boolean }): AllowedHtml {
  const tables = [OWN_ATTRIBUTES, ...(newer.elements ? [NEWER, MATH] : []), ...(newer.commands ? [COMMANDS] : [])];
  const math = new Set(newer.elements ? words(MATH_PLAIN) : []);
  const names = new Set([...words(ALIGNED), ...words(PLAIN), ...math, ...tables.flatMap(Object.keys)]);
  const aligned = new Set(words(ALIGNED));
  const attributes = (name: string): Set<string> =>
    new Set([
      ...words(GLOBAL_ATTRIBUTES),
      ...(newer.commands ? words(COMMANDS_GLOBAL) : []),
      ...(aligned.has(name) ? ['align'] : []),
      ...(math.has(name) ? words(MATH_ATTRIBUTES) : []),
      ...tables.flatMap((table) => words(table[name] ?? '')),
    ]);
  // WP: `object` is kept, but its attributes only when it shows a PDF of the site's own uploads. Here they always go.
  return new Map<string, ReadonlySet<string>>([...names].map((name) => [name, attributes(name)] as const)).set('object', new Set());
}

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
