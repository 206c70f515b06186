import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import sanitizeHtml from 'sanitize-html';
import {
  savePostContent,
  savePostTitle,
  saveTermDescription,
  saveTermName,
  sanitizeTextField,
} from '../../../../src/wordpress/formatting/sanitize.js';
import { ksesPost } from '../../../../src/wordpress/formatting/kses/kses.js';
import { NEWEST_RULES, OLDEST_RULES } from '../../../support/rules.js';
import { INLINE_HTML, PROTOCOLS, type AllowedHtml } from '../../../../src/wordpress/formatting/kses/tables.js';

const JS = 'alert(1)';
const SCHEMES = ['javascript', 'JaVaScRiPt', 'vbscript', 'data', 'livescript', 'blob'];
const OBFUSCATED = [
  'java\tscript:',
  'java\nscript:',
  'java\r\nscript:',
  ' javascript:',
  '\x01javascript:',
  'java\0script:',
  'java\\0script:',
  '\\0javascript:',
  '&#106;avascript:',
  '&#x6A;avascript:',
  '&#0000106;avascript:',
  'javascript&#58;',
  'javascript&#x3A;',
  'javascript&#x003a;',
  'javascript&colon;',
  'jav&#x09;ascript:',
  'jav&#x0A;ascript:',
  'java&Tab;script:',
  'java&NewLine;script:',
  '&#14; javascript:',
  'javascript :',
  'javascript\u00a0:',
  '&amp;#106;avascript:',
  'javascript:javascript:',
  'feed:javascript:',
  'feed:feed:javascript:',
  'x:javascript:',
  '&#1;javascript:',
  '%6Aavascript:',
  'jAvAsCrIpT&#x3a;',
  'javascript&#058;',
  'java&#173;script:',
  '\u200bjavascript:',
  'data:text/html;base64,',
  'data:text/html,<script>',
  'data&colon;text/html,',
];
const URLS = [...SCHEMES.map((scheme) => `${scheme}:`), ...OBFUSCATED].map((prefix) => prefix + JS);

const inUrlAttributes = URLS.flatMap((url) => [
  `<a href="${url}">x</a>`,
  `<img src='${url}'>`,
  `<blockquote cite=${url.replace(/\s/g, '&#9;')}>q</blockquote>`,
]);

const HANDLERS = [
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)"',
  '<img/src=x/onerror=alert(1)>',
  '<img src=x\nonerror=alert(1)>',
  '<img src=x\fonerror=alert(1)>',
  '<IMG SRC=x OnErRoR=alert(1)>',
  '<img src="x"onerror="alert(1)">',
  "<img src='x'onerror='alert(1)'>",
  '<img src=x onerror\t=\talert(1)>',
  '<img src=`x` onerror=alert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src=x:alert(1) onerror=eval(src)>',
  '<img alt="<x" onerror=alert(1)//">',
  '<img title="\\" onerror=alert(1)//">',
  '<b onmouseover=alert(1)>x</b>',
  '<b/onmouseover=alert(1)>x</b>',
  '<b class="a"onclick=alert(1)>x</b>',
  '<b x="" onclick=alert(1)>',
  "<b 'onclick=alert(1)>",
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video src=x onerror=alert(1)>',
  '<audio src onloadstart=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>',
  '<button onclick=alert(1)>x',
  '<p style="animation:x" onanimationstart=alert(1)>',
  '<a href=# onclick="alert(1)">',
  '<a href="x" \0onclick=alert(1)>',
  '<a \\onclick=alert(1)>',
  "<a title='\" onclick=alert(1) '>",
  '<a title="\'" onclick=alert(1)>',
  '<table background="javascript:alert(1)">',
  '<td onclick&#61;alert(1)>',
  '<li value=1onclick=alert(1)>',
  '<ol start="1" onclick="alert(1)">',
];

const ELEMENTS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//x.example></SCRIPT>',
  '<script/x>alert(1)</script>',
  '<script >alert(1)</script >',
  '<script\n>alert(1)</script\n>',
  '<script',
  '<<script>alert(1)//<</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<scr\0ipt>alert(1)</scr\0ipt>',
  '<script>alert(1)',
  '<s\x01cript>alert(1)</s\x01cript>',
  '<iframe src="javascript:alert(1)">',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<object type="application/pdf" data="//x.example/x.pdf">',
  '<applet code=x>',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<style>@import "javascript:alert(1)";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<form action="javascript:alert(1)"><input type=submit>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<isindex action="javascript:alert(1)">',
  '<keygen autofocus onfocus=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style>',
  '<svg><animate onbegin=alert(1) attributeName=x>',
  '<svg><set attributeName=href to="javascript:alert(1)">',
  '<svg><foreignObject><script>alert(1)</script></foreignObject></svg>',
  '<math href="javascript:alert(1)">x</math>',
  '<math><mi xlink:href="data:x,alert(1)">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<title><img src=x onerror=alert(1)></title>',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '</textarea><script>alert(1)</script>',
  '<xmp><script>alert(1)</script></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<template><script>alert(1)</script></template>',
  '<x-y onclick=alert(1)>',
  '<b:script onclick=alert(1)>',
  '<frameset onload=alert(1)>',
  '<layer src="javascript:alert(1)">',
];

const COMMENTS = [
  '<!--><script>alert(1)</script>-->',
  '<!--->\n<script>alert(1)</script>-->',
  '<!-- --!><script>alert(1)</script>-->',
  '<!--\n--><img src=x onerror=alert(1)>',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<!DOCTYPE x [<!ENTITY y "<script>alert(1)</script>">]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<? echo("<script>alert(1)</script>") ?>',
  '<!-- a --><script>alert(1)</script>',
  '<!-- wp:html {"content":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"} /-->',
  '<!-- wp:html --><script>alert(1)</script><!-- /wp:html -->',
  '<!-- wp:x {"a":"--\\u003e\\u003cimg src=x onerror=alert(1)\\u003e"} /-->',
  '</%><script>alert(1)</script>',
  '<//><img src=x onerror=alert(1)>',
  '</1 onclick=alert(1)><script>alert(1)</script>',
  '</ script><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!-- wp:x --><!-- wp:y --><img src=x onerror=alert(1)>',
  '<!<b>script>alert(1)</script>',
  '<!-><script>alert(1)</script>',
  '<!----><script>alert(1)</script><!---->',
  '<!--x\n><img src=x onerror=alert(1)>-->',
];

const STYLES = [
  'background:url(javascript:alert(1))',
  'background:url("javascript:alert(1)")',
  "background-image:url('java\tscript:alert(1)')",
  'background:url(&#106;avascript:alert(1))',
  'width:expression(alert(1))',
  'width:exp/**/ression(alert(1))',
  'width:e\\78pression(alert(1))',
  'behavior:url(x.htc)',
  '-moz-binding:url(//x.example/x.xml#x)',
  'list-style:url(javascript:alert(1))',
  '--x:url(javascript:alert(1))',
  'background:\\75rl(javascript:alert(1))',
  'background:u\\rl(javascript:alert(1))',
  'background:url(x);background:url(data:text/html,x)',
  'cursor:url(vbscript:x)',
  'filter:url(javascript:alert(1))',
  'background:url(http://x/)url(javascript:alert(1))',
  'color:red;background:url (javascript:alert(1))',
  '@import:url(javascript:alert(1))',
  'background:linear-gradient(red,url(javascript:alert(1)))',
].map((style) => `<p style="${style.replaceAll('"', '&quot;')}">x</p>`);

const VECTORS = [...new Set([...inUrlAttributes, ...HANDLERS, ...ELEMENTS, ...COMMENTS, ...STYLES])];

const FORBIDDEN = new Set(
  'script style iframe frame frameset object embed applet link base meta form input select isindex keygen svg math noscript xmp plaintext template'.split(
    ' ',
  ),
);
const BAD_URL = /^[\0-\x20\u00a0\u00ad\u200b]*(?:javascript|vbscript|livescript|data|blob):/i;
const BAD_STYLE = /javascript|vbscript|expression|behavior|binding|data:|\\/i;
const URL_ATTRIBUTE = new Set('href src cite action formaction background poster longdesc usemap data srcdoc xlink:href'.split(' '));

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Descriptions of content that a browser would run or load. Empty for harmless HTML. @param allowed elements that are harmless in this release */
const dangers = (html: string, allowed: readonly string[] = []): string[] => {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if ('attrs' in node) {
      // An `object` without attributes shows nothing.
      if (FORBIDDEN.has(node.tagName) && !allowed.includes(node.tagName) && !(node.tagName === 'object' && node.attrs.length === 0))
        found.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) {
        if (/^on/i.test(name)) found.push(`${name}=`);
        if (URL_ATTRIBUTE.has(name) && BAD_URL.test(value.replace(/[\t\n\r]/g, ''))) found.push(`${name}=${value}`);
        if (name === 'style' && BAD_STYLE.test(value)) found.push(`style=${value}`);
      }
    }
    if ('content' in node) node.content.childNodes.forEach(visit);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  parseFragment(html).childNodes.forEach(visit);
  return found;
};

/** Sanitizes with another library and the same allowlist. It should not remove anything further. */
const secondOpinion = (html: string, allowed: AllowedHtml): string =>
  sanitizeHtml(html, {
    allowedTags: [...allowed.keys()],
    allowedAttributes: Object.fromEntries([...allowed].map(([name, attributes]) => [name, [...attributes]])),
    allowedSchemes: [...PROTOCOLS],
    allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'longdesc', 'poster', 'usemap'],
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    disallowedTagsMode: 'discard',
  });

/**
 * Elements and attributes in document order, to compare HTML regardless of formatting. Empty values are skipped, since the other library
 * drops them.
 */
const outline = (html: string): string[] => {
  const lines: string[] = [];
  const visit = (node: Node): void => {
    if ('attrs' in node) {
      const attributes = node.attrs.filter(({ value }) => value !== '').map(({ name, value }) => `${name}=${value}`);
      lines.push([node.tagName, ...attributes.sort()].join(' '));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  parseFragment(html).childNodes.forEach(visit);
  return lines;
};

test('there are enough vectors, most of them dangerous before sanitizing', () => {
  expect(VECTORS.length).toBeGreaterThan(200);
  expect(VECTORS.filter((vector) => dangers(vector).length > 0).length).toBeGreaterThan(150);
});

const RELEASES = { oldest: OLDEST_RULES, newest: NEWEST_RULES };

const CASES = VECTORS.flatMap((vector) => Object.entries(RELEASES).map(([release, rules]) => ({ vector, release, rules })));

test.each(CASES)('no cleaner leaves anything executable of $vector in the $release release', ({ vector, rules }) => {
  const untrusted = { unfilteredHtml: false, rules };
  const description = savePostContent(vector, untrusted);
  const title = savePostTitle(vector, untrusted);
  const cleaned = {
    description,
    title,
    'term description': saveTermDescription(vector, rules),
    'term name': saveTermName(vector),
    'description, cleaned again': ksesPost(description, rules),
    'inside an element': savePostContent(`<div title="a">${vector}</div><p>b`, untrusted),
    'behind an open attribute': savePostContent(`<a title="${vector}">x</a>`, untrusted),
    'behind an open comment': savePostContent(`<!-- ${vector} -->`, untrusted),
  };
  // WP 6.9: formulas.
  const allowed = rules === NEWEST_RULES ? ['math'] : [];
  expect(Object.entries(cleaned).flatMap(([cleaner, html]) => dangers(html, allowed).map((danger) => `${cleaner}: ${danger}`))).toEqual([]);
  // Another sanitizer would not remove anything else.
  expect({ description: outline(secondOpinion(description, rules.post)) }).toEqual({ description: outline(description) });
  expect({ title: outline(secondOpinion(title, INLINE_HTML)) }).toEqual({ title: outline(title) });
  // Plain text as a field.
  expect(parseFragment(sanitizeTextField(vector)).childNodes.filter((node) => 'tagName' in node)).toEqual([]);
});
