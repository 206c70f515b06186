import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = path.join(path.dirname(fileURLToPath(import.meta.url)), '../src');

/** Layers from left to right: a file imports only from its own layer or from layers to its left. Siblings are in one row. */
const LAYERS = [
  ['values'],
  ['text', 'system'],
  ['types'],
  ['locales', 'client'],
  ['php', 'engine'],
  ['memory'],
  ['store'],
  ['wp'],
  ['rest', 'tec', 'ics'],
  ['calendar-v1', 'tec-v1', 'wp-v2'],
  ['views'],
  ['feeds'],
  ['pages', 'content'],
  ['tenant'],
  ['qa', 'proxy'],
  ['app'],
  ['testing'],
  ['embedded'],
  ['index'],
  ['commands'],
  ['main'],
  ['bundle'],
  ['load'],
  ['cli', 'entry'],
];

/** Modules that every file may use. */
const OF_ALL = /^(?:types|values|text|system)\//;

/** Files outside the layers: leaves that every layer may use, since they do not import any layer. */
const LEAVES: Record<string, string[]> = {
  'config/index': [
    'config/arguments',
    'config/dataset-options',
    'config/file',
    'config/help',
    'config/json-schema',
    'config/options',
    'config/resolve',
    'config/schemas',
    'config/server-options',
    'config/situation-options',
    'config/proxy-options',
    'config/tls-options',
    'config/values',
  ],
  'config/arguments': ['config/options', 'config/server-options', 'config/values'],
  'config/file': ['config/options', 'config/server-options', 'config/values'],
  'define-config': ['config/server-options'],
  'config/help': ['config/options', 'config/server-options'],
  'config/json-schema': ['config/options', 'config/server-options'],
  'config/dataset-options': ['config/schemas', 'config/server-options'],
  'config/options': [
    'config/dataset-options',
    'config/schemas',
    'config/server-options',
    'config/situation-options',
    'config/proxy-options',
    'config/tls-options',
    'tec/quirks/version',
    'wp/quirks',
    'locales/language',
  ],
  'config/resolve': ['config/file', 'config/options', 'config/server-options', 'config/values'],
  'config/schemas': ['config/server-options', 'tec/quirks/index', 'tec/quirks/version', 'locales/language'],
  'config/server-options': ['wp/quirks'],
  'config/situation-options': ['config/schemas', 'config/server-options'],
  'config/proxy-options': ['config/schemas', 'config/server-options'],
  'config/tls-options': ['config/schemas', 'config/server-options'],
  'config/values': ['config/server-options'],
};

/** May read a file at run time: the time zone rules. */
const DATA = 'php/timezone';

interface SourceFile {
  /** Path below `src`, without extension, such as `wp/store`. */
  name: string;
  text: string;
  /** Imports and re-exports: `wp/store` for files of this project, `mongodb` for packages. */
  imports: string[];
  /** Imports that remain at run time, that is, not only types. */
  runtimeImports: string[];
}

/** Removes comments. String, template and regular-expression literals are skipped, since they may contain comment markers. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=[;{},)\s])\/\/ .*$/gm, '');

const IMPORT = /(?:^|\n)\s*(?:import|export)\b([^;'"`=]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function read(name: string): SourceFile {
  const text = withoutComments(readFileSync(path.join(SRC, name), 'utf8'));
  const from = path.dirname(name);
  const found = [...text.matchAll(IMPORT)].map(([, clause = '', stated, called]) => {
    const target = stated ?? called;
    return {
      target: target.startsWith('.') ? path.posix.join(from, target).replace(/\.js$/, '') : target,
      isType: /^\s*type\b/.test(clause),
    };
  });
  const targets = (of: typeof found): string[] => of.map(({ target }) => target);
  return { name: name.replace(/\.ts$/, ''), text, imports: targets(found), runtimeImports: targets(found.filter(({ isType }) => !isType)) };
}

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(name.split(path.sep).join('/')));

const OWN = new Set(FILES.map(({ name }) => name));

const layerOf = (name: string): number => LAYERS.findIndex((layer) => layer.includes(name.split('/')[0]));

const names = (files: SourceFile[]): string[] => files.map(({ name }) => name).sort();

test('finds the source files', () => {
  expect(FILES.length).toBeGreaterThan(80);
  expect([...OWN]).toContain('store/database');
  expect(FILES.find(({ name }) => name === 'store/database')?.imports).toContain('mongodb');
  expect(FILES.find(({ name }) => name === 'rest/args')?.imports).toEqual(
    expect.arrayContaining(['rest/check', 'rest/error', 'rest/route']),
  );
});

test('assigns every file to a layer or to the leaves', () => {
  expect(names(FILES.filter(({ name }) => layerOf(name) < 0 && !(name in LEAVES)))).toEqual([]);
});

test.each(Object.entries(LEAVES))('%s is a leaf: it imports no layer', (leaf, allowed) => {
  const file = FILES.find(({ name }) => name === leaf);
  expect(file?.imports.filter((target) => OWN.has(target) && !allowed.includes(target) && !OF_ALL.test(target))).toEqual([]);
});

test.each(FILES.filter(({ name }) => layerOf(name) >= 0).map(({ name, imports }) => [name, imports] as const))(
  '%s imports only from the layers to its left',
  (name, imports) => {
    const own = name.split('/')[0];
    const allowed = (target: string): boolean => {
      if (target in LEAVES) return true;
      const [mine, theirs] = [layerOf(name), layerOf(target)];
      const other = target.split('/')[0];
      return theirs < mine || other === own;
    };
    expect(imports.filter((target) => OWN.has(target) && !allowed(target))).toEqual([]);
  },
);

/** Finds import cycles: repeatedly removes files without imports and files without importers. What remains is in a cycle. */
function inCircles(files: SourceFile[]): SourceFile[] {
  const own = new Set(files.map(({ name }) => name));
  const imported = new Set(files.flatMap(({ imports }) => imports));
  const left = files.filter(({ name, imports }) => imported.has(name) && imports.some((target) => own.has(target)));
  return left.length === files.length ? left : inCircles(left);
}

test('has no circular imports, including type imports', () => {
  expect(names(inCircles(FILES))).toEqual([]);
});

test('finds the files of an import cycle, without those that only use it or are used by it', () => {
  const file = (name: string, ...imports: string[]): SourceFile => ({ name, text: '', imports, runtimeImports: [] });
  const circle = [file('a', 'b'), file('b', 'c', 'mongodb'), file('c', 'a', 'leaf')];
  expect(names(inCircles([...circle, file('leaf'), file('root', 'a')]))).toEqual(['a', 'b', 'c']);
  expect(inCircles([file('a', 'b'), file('b')])).toEqual([]);
});

test('no folder of src contains more than 25 files', () => {
  const files = readdirSync(SRC, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folders = files.map(({ parentPath }) => path.relative(SRC, parentPath).split(path.sep).join('/'));
  const large = [...new Set(folders)].filter((folder) => folders.filter((each) => each === folder).length > 25);
  expect(large).toEqual([]);
});

describe('single importers', () => {
  const importersOf = (isWanted: (target: string) => boolean): string[] =>
    names(FILES.filter(({ runtimeImports }) => runtimeImports.some(isWanted)));

  test('only the store and the engine import the database driver, including its types', () => {
    const outside = FILES.filter(({ name, imports }) => !/^(?:store|engine)\//.test(name) && imports.includes('mongodb'));
    expect(names(outside)).toEqual([]);
  });

  test('only the HTTP layer imports the web framework, including its types', () => {
    const isKoa = (target: string): boolean => target === 'koa' || target.startsWith('koa-') || target.startsWith('@koa/');
    const importers = names(FILES.filter(({ imports }) => imports.some(isKoa)));
    expect(importers.filter((name) => !/^(?:app|qa\/transport|rest\/transport|tenant\/transport)\//.test(name))).toEqual([]);
  });

  test('only options and datasets use the schema library, not requests', () => {
    expect(importersOf((target) => target === 'yup').filter((name) => !/^(config|commands|content)\//.test(name))).toEqual([]);
  });
});

test.each([
  ['client', 'a browser can load', /^(?:client|types)\//],
  [
    'testing',
    'ES modules and CommonJS can load',
    /^(?:(?:testing|client|types)\/|(?:text\/(?:suggest|glob|hosts|stub-file)|system\/(?:config-files|included-datasets|inside|node-version|user-folder))$)|^node:|^vitest$|^msw$|^@playwright\/test$/,
  ],
])('%s imports only what %s', (layer, _, allowed) => {
  const own = FILES.filter(({ name }) => name.startsWith(`${layer}/`));
  expect(own.length).toBeGreaterThan(3);
  expect(own.flatMap(({ imports }) => imports.filter((target) => !allowed.test(target) && !target.endsWith('/root.cjs')))).toEqual([]);
});

test('a browser can load what handlers for Mock Service Worker consist of', () => {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const target of FILES.find((file) => file.name === name)?.runtimeImports ?? []) visit(target);
  };
  visit('testing/msw');
  expect([...seen].filter((name) => !OWN.has(name))).toEqual(['msw']);
  expect(seen.size).toBeGreaterThan(3);
});

test('the package contains the modules that client and helpers need while they run', () => {
  const { files } = JSON.parse(readFileSync(path.join(SRC, '../package.json'), 'utf8')) as { files: string[] };
  const packed = files.flatMap((each) => {
    const [, folder = '', listed = ''] = /^dist\/(.*\/)?\{(.*)\}\.js$/.exec(each) ?? [];
    return listed.split(',').map((name) => `${folder}${name}`);
  });
  const mine = FILES.filter(({ name }) => /^(?:client|testing)\//.test(name));
  const needed = mine.flatMap(({ runtimeImports }) =>
    runtimeImports.filter((target) => OWN.has(target) && !/^(?:client|testing)\//.test(target)),
  );
  expect(needed).toContain('text/suggest');
  expect(needed.filter((target) => !packed.includes(target))).toEqual([]);
});

describe('globals that only certain files may use', () => {
  const touching = (pattern: RegExp): string[] => names(FILES.filter(({ text }) => pattern.test(text)));

  test('the clock of the system', () => {
    expect(touching(/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bdayjs(?:\.utc|\.tz)?\(\s*\)|\bmoment(?:\.utc|\.tz)?\(\s*\)/)).toEqual([
      'wp/clock',
    ]);
  });

  test('the meta keys of the plugin', () => {
    expect(touching(/\b_(?:(?:Event|Venue|Organizer)[A-Z]|tribe_)\w+/).filter((name) => !name.startsWith('tec/'))).toEqual([]);
  });

  test('the environment', () => {
    // The helpers run in the process of a test runner, which cannot load the server's modules.
    expect(touching(/\bprocess\.env\b/).filter((name) => !name.startsWith('engine/'))).toEqual(['config/resolve', 'testing/environment']);
  });

  test('the arguments of the command line, and the end of the process', () => {
    expect(
      touching(/\bprocess\.(?:argv|exit)\b/).filter((name) => !['cli', 'main'].includes(name) && !/^(commands|engine)\//.test(name)),
    ).toEqual([]);
  });
});

test('unregistered post types of the plugin are unknown', () => {
  const importers = FILES.filter(({ imports }) => imports.includes('tec/names')).filter(({ name }) => !name.startsWith('tec/'));
  expect(names(importers)).toEqual([]);
});

test('wp, store and memory contain no name of the plugin', () => {
  const named = FILES.filter(({ name }) => /^(wp|store|memory)\//.test(name)).filter(({ text }) =>
    /\btribe_\w|\btec_\w|_(?:Event|Venue|Organizer)[A-Z]|\boccurrence\b|\b(?:venue|organizer)s?\b/i.test(text),
  );
  expect(names(named)).toEqual([]);
});

test.each([
  'php/cast',
  'php/date',
  'php/json',
  'php/json-decode',
  'php/query-string',
  'php/strtotime',
  'wp/query/query',
  'wp/query/term-query',
  'tec/occurrence',
  'wp/query/search',
  'wp/users/capabilities',
  'tec/dates',
  'tec/cost',
])('%s is pure: no files, network, clock or randomness', (name) => {
  const seen = new Set<string>();
  const impure: string[] = [];
  const visit = (at: string): void => {
    const file = FILES.find((each) => each.name === at);
    if (!file || at === DATA || seen.has(at)) return;
    seen.add(at);
    const packages = file.imports.filter((target) => target.startsWith('node:') && !['node:buffer', 'node:module'].includes(target));
    if (packages.length > 0 || /\bMath\.random\b|\bfetch\(|\bDate\.now\b/.test(file.text)) impure.push(at);
    for (const target of file.imports) visit(target);
  };
  visit(name);
  expect(impure).toEqual([]);
});
