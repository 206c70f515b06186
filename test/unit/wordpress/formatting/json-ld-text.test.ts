import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderTitle } from '../../../../src/wordpress/formatting/content.js';
import { jsonLdDescription, jsonLdEscape, jsonLdName } from '../../../../src/wordpress/formatting/json-ld-text.js';
import { spentSince } from '../../../support/cpu.js';

interface Row {
  readonly input: string;
  readonly output: string;
}

interface EventFields {
  readonly title?: string;
  readonly description?: string;
  readonly excerpt?: string;
}

interface ExampleRow {
  readonly input: string | EventFields;
  readonly output: { readonly name?: string; readonly description?: string };
}

interface VenueRow {
  readonly input: { readonly address?: string };
  readonly output: {
    readonly fields: { readonly address?: string };
    readonly json_ld: { readonly address: { readonly streetAddress?: string } };
  };
}

const here = path.dirname(fileURLToPath(import.meta.url));
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(here, file), 'utf8'));
const measured = read('data/json-ld-measured.json') as Record<'escapes' | 'summaries', Row[]>;
const examples = (read('../../../examples/json-ld-event.json') as ExampleRow[]).filter(({ output }) => output.description !== undefined);
const venues = (read('../../../examples/venue-json-ld.json') as VenueRow[]).filter(({ input }) => input.address !== undefined);

describe('description', () => {
  test.each(examples)('example: $input', ({ input, output }) => {
    const { title = 'Zed', description = '', excerpt = '' }: EventFields = typeof input === 'string' ? { description: input } : input;
    expect({
      name: jsonLdName(renderTitle(title)),
      description: jsonLdDescription({ content: description, excerpt }),
    }).toEqual(output);
  });

  test.each(measured.summaries)('measured without excerpt: $input', ({ input, output }) => {
    expect(jsonLdDescription({ content: input, excerpt: '' })).toBe(output);
  });

  test.each([
    ['nothing', { content: '', excerpt: '' }, ''],
    [
      'an excerpt with markup',
      { content: 'c', excerpt: 'Excerpt with "quotes" & <b>bold</b>' },
      '&lt;p&gt;Excerpt with &quot;quotes&quot; &amp; &lt;b&gt;bold&lt;/b&gt;&lt;/p&gt;\\n',
    ],
    [
      'blocks of markup',
      { content: '<p>Food till late</p><ul><li>Stout</li><li>Chips</li></ul>', excerpt: '' },
      '&lt;p&gt;Food till lateStoutChips&lt;/p&gt;\\n',
    ],
    ['a shortcode with content', { content: 'x[caption width="1"]y[/caption]', excerpt: '' }, '&lt;p&gt;xy&lt;/p&gt;\\n'],
    ['a bracket that is no shortcode', { content: '[x] y', excerpt: '' }, '&lt;p&gt;y&lt;/p&gt;\\n'],
    ['brackets that do not pair within a line', { content: '[] [x\ny] [', excerpt: '' }, '&lt;p&gt;[] [x y] [&lt;/p&gt;\\n'],
    ['an empty pair that reaches to the next bracket', { content: 'a[]b]c', excerpt: '' }, '&lt;p&gt;ac&lt;/p&gt;\\n'],
    ['brackets of an excerpt', { content: 'c', excerpt: 'a[caption]x[/caption] [y="1"]b' }, '&lt;p&gt;ax b&lt;/p&gt;\\n'],
    [
      'elements of an excerpt',
      { content: 'c', excerpt: '<cite>a</cite> <a href="javascript:x" target="_blank">b</a> <font color="red">c</font> <em>d</em>' },
      '&lt;p&gt;a &lt;a href=&quot;x&quot; target=&quot;_blank&quot;&gt;b&lt;/a&gt; c &lt;em&gt;d&lt;/em&gt;&lt;/p&gt;\\n',
    ],
    ['paragraphs of an excerpt', { content: 'c', excerpt: '<p>a</p><p>b</p>' }, '&lt;p&gt;ab&lt;/p&gt;\\n'],
    [
      'styles of an excerpt',
      { content: 'c', excerpt: '<span style="color:red;position:fixed" title="t">a</span> <i>b</i><br>c' },
      '&lt;p&gt;&lt;span style=&quot;color:red;position:fixed&quot;&gt;a&lt;/span&gt; bc&lt;/p&gt;\\n',
    ],
    [
      'items of a list block',
      {
        content:
          '<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:list -->\n<ul><!-- wp:list-item --><li>b</li><!-- /wp:list-item --></ul>\n<!-- /wp:list -->',
        excerpt: '',
      },
      '&lt;p&gt;a&lt;/p&gt;\\n',
    ],
    [
      'a block that embeds something, and a group with a paragraph',
      {
        content: 'c',
        excerpt:
          '<!-- wp:group -->\n<div><!-- wp:paragraph -->\n<p>in</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:group -->\n\n<!-- wp:embed -->\n<figure>x</figure>\n<!-- /wp:embed -->',
      },
      '&lt;p&gt;in&lt;/p&gt;\\n',
    ],
    ['an excerpt that PHP takes for empty', { content: 'c', excerpt: '0' }, '&lt;p&gt;c&lt;/p&gt;\\n'],
    ['tags only', { content: '<ul><li></li></ul>', excerpt: '' }, ''],
    ['exactly thirty words', { content: 'w '.repeat(30), excerpt: '' }, `&lt;p&gt;${'w '.repeat(30).trim()}&lt;/p&gt;\\n`],
  ])('%s', (_, post, shown) => {
    expect(jsonLdDescription(post)).toBe(shown);
  });

  test.each(['<', '<!--', '<!--x>', '>', '[caption', 'a '])('%j repeated is handled in linear time', (unit) => {
    const spent = spentSince();
    jsonLdDescription({ content: `${unit.repeat(Math.ceil(200_000 / unit.length))}\n`, excerpt: '' });
    expect(spent()).toBeLessThan(3000);
  });
});

describe('escapes', () => {
  test.each(measured.escapes)('measured: $input', ({ input, output }) => {
    expect(jsonLdEscape(input)).toBe(output);
  });

  test.each(venues)('address of a venue: $input', ({ output }) => {
    expect(jsonLdEscape(output.fields.address ?? '')).toBe(output.json_ld.address.streetAddress);
  });

  test('names keep entities, escape tags', () => {
    expect(jsonLdName(renderTitle(`Bold <b>Title</b> & "Quotes" – it's`))).toBe(
      'Bold &lt;b&gt;Title&lt;/b&gt; &#038; &#8220;Quotes&#8221; – it&#8217;s',
    );
    expect(jsonLdName(`<code>it's</code>`)).toBe(`&lt;code&gt;it\\'s&lt;/code&gt;`);
  });
});
