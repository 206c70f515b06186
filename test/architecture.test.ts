import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = path.join(path.dirname(fileURLToPath(import.meta.url)), '../src');

/** The rooms. Which of them may import which stands in .oxlintrc.json, where editors show it. */
const ROOMS = ['base', 'database', 'wordpress', 'plugins', 'transfer', 'control', 'server', 'cli', 'sdk'];

/** May read a file at run time: the time zone rules. */
const DATA = 'base/php/zone-data';

interface SourceFile {
  /** Path below `src`, without extension, such as `wordpress/store`. */
  name: string;
  text: string;
  /** Imports and re-exports: `wordpress/store` for files of this project, `mongodb` for packages. */
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

const names = (files: SourceFile[]): string[] => files.map(({ name }) => name).sort();

test('finds the source files', () => {
  expect(FILES.length).toBeGreaterThan(80);
  expect([...OWN]).toContain('database/store/database');
  expect(FILES.find(({ name }) => name === 'database/store/database')?.imports).toContain('mongodb');
  expect(FILES.find(({ name }) => name === 'wordpress/rest/args')?.imports).toEqual(
    expect.arrayContaining(['wordpress/rest/check', 'wordpress/rest/route']),
  );
});

test('every file is in a room, except for at most five entry points', () => {
  const entries = new Set([...OWN].filter((name) => !name.includes('/')));
  expect(entries.size).toBeLessThanOrEqual(5);
  expect([...OWN].filter((name) => !entries.has(name) && !ROOMS.includes(name.split('/')[0]))).toEqual([]);
  const importers = FILES.filter(({ name, imports }) => !entries.has(name) && imports.some((target) => entries.has(target)));
  expect(names(importers)).toEqual([]);
});

interface Override {
  files: string[];
  rules: { 'eslint/no-restricted-imports'?: [string, { patterns: { regex?: string }[] }] };
}

const { overrides } = JSON.parse(readFileSync(path.join(SRC, '../.oxlintrc.json'), 'utf8')) as { overrides: Override[] };

test.each(ROOMS.filter((room) => room !== 'cli'))('.oxlintrc.json says what %s may not import', (room) => {
  const own = overrides.find(({ files }) => files[0] === `src/${room}/**`);
  const [pattern] = own?.rules['eslint/no-restricted-imports']?.[1].patterns ?? [];
  const later = room === 'sdk' ? ROOMS.slice(1, -1) : ROOMS.slice(ROOMS.indexOf(room) + 1, -1);
  expect(later.filter((each) => !new RegExp(pattern.regex ?? '').test(`../../${each}/x.js`))).toEqual([]);
});

test('imports on demand keep to the same rules, which the linter does not apply to them', () => {
  const found = FILES.flatMap(({ name, text }) =>
    [...text.matchAll(/\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g)].map(([, target]) => ({ name, target })),
  );
  expect(found.length).toBeGreaterThan(20);
  const forbidden = found.filter(({ name, target }) => {
    const last = overrides.findLast(
      ({ files, rules }) => rules['eslint/no-restricted-imports'] && files.some((glob) => path.matchesGlob(`src/${name}.ts`, glob)),
    );
    return last?.rules['eslint/no-restricted-imports']?.[1].patterns.some(
      ({ regex }) => regex !== undefined && new RegExp(regex).test(target),
    );
  });
  expect(forbidden).toEqual([]);
});

test('transfer, control, server and cli import from no plugin but the calendar', () => {
  const found = FILES.flatMap(({ name, imports }) =>
    /^(?:transfer|control|server|cli)\//.test(name)
      ? imports.filter((target) => /^plugins\/(?!the-events-calendar\/)[\w-]+\//.test(target)).map((target) => `${name}: ${target}`)
      : [],
  );
  expect(found).toEqual([]);
});

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
    const outside = FILES.filter(({ name, imports }) => !/^database\/(?:store|engine)\//.test(name) && imports.includes('mongodb'));
    expect(names(outside)).toEqual([]);
  });

  test('only the HTTP layer imports the web framework, including its types', () => {
    const isKoa = (target: string): boolean => target === 'koa' || target.startsWith('koa-') || target.startsWith('@koa/');
    const importers = names(FILES.filter(({ imports }) => imports.some(isKoa)));
    expect(
      importers.filter((name) => !/^(?:server\/app|control\/(?:qa|tenant)\/transport|wordpress\/rest\/transport)\//.test(name)),
    ).toEqual([]);
  });

  test('only options and datasets use the schema library, not requests', () => {
    expect(
      importersOf((target) => target === 'yup').filter((name) => !/^(?:server\/config|cli|transfer|plugins\/[\w-]+\/content)\//.test(name)),
    ).toEqual([]);
  });
});

test.each([
  ['sdk/client', 'a browser can load', /^sdk\/(?:client|types)\//],
  [
    'sdk/testing',
    'ES modules and CommonJS can load',
    /^(?:sdk\/|base\/(?:text\/(?:suggest|glob|hosts|stub-file|variables)|system\/(?:config-files|included-datasets|inside|node-version|user-folder))$)|^node:|^vitest$|^msw$|^@playwright\/test$/,
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
  visit('sdk/testing/msw');
  expect([...seen].filter((name) => !OWN.has(name))).toEqual(['msw']);
  expect(seen.size).toBeGreaterThan(3);
});

test('the package contains the modules that client and helpers need while they run', () => {
  const { files } = JSON.parse(readFileSync(path.join(SRC, '../package.json'), 'utf8')) as { files: string[] };
  const packed = files.flatMap((each) => {
    const [, folder = '', listed = ''] = /^dist\/(.*\/)?\{(.*)\}\.js$/.exec(each) ?? [];
    return listed.split(',').map((name) => `${folder}${name}`);
  });
  const mine = FILES.filter(({ name }) => /^sdk\/(?:client|testing)\//.test(name));
  const needed = mine.flatMap(({ runtimeImports }) =>
    runtimeImports.filter((target) => OWN.has(target) && !/^sdk\/(?:client|testing)\//.test(target)),
  );
  expect(needed).toContain('base/text/suggest');
  expect(needed.filter((target) => !packed.includes(target))).toEqual([]);
});

describe('globals that only certain files may use', () => {
  const touching = (pattern: RegExp): string[] => names(FILES.filter(({ text }) => pattern.test(text)));

  test('the clock of the system', () => {
    expect(touching(/\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bdayjs(?:\.utc|\.tz)?\(\s*\)|\bmoment(?:\.utc|\.tz)?\(\s*\)/)).toEqual([
      'wordpress/clock',
    ]);
  });

  test('the meta keys of the plugins', () => {
    expect(
      touching(/\b_(?:(?:Event|Venue|Organizer)[A-Z]|tribe_|tec_)\w+/).filter((name) => !/^plugins\/[\w-]+\/model\//.test(name)),
    ).toEqual([]);
  });

  test('the environment', () => {
    // The helpers run in the process of a test runner, which cannot load the server's modules.
    expect(touching(/\bprocess\.env\b/).filter((name) => !name.startsWith('database/engine/'))).toEqual([
      'sdk/testing/environment',
      'server/config/file',
    ]);
  });

  test('the arguments of the command line, and the end of the process', () => {
    expect(touching(/\bprocess\.(?:argv|exit)\b/).filter((name) => name !== 'cli' && !/^(?:cli|database\/engine)\//.test(name))).toEqual(
      [],
    );
  });
});

test('registries are made in one file, and none when it is imported', () => {
  expect(names(FILES.filter(({ text }) => text.includes('types/registry.js') && /\bnew Registry\(/.test(text)))).toEqual([
    'plugins/register',
  ]);
  // Only lines outside of functions have no indent.
  expect(names(FILES.filter(({ text }) => /^(?! |export async function).*\bregistryOf\(/m.test(text)))).toEqual([]);
});

test('the names of the plugin are imported from the face of its model', () => {
  const importers = FILES.filter(({ imports }) => imports.includes('plugins/the-events-calendar/model/names')).filter(
    ({ name }) => !name.startsWith('plugins/the-events-calendar/model/'),
  );
  expect(names(importers)).toEqual([]);
});

test('wordpress and database contain no name of the plugin', () => {
  const named = FILES.filter(({ name }) => /^(?:database|wordpress\/(?!rest|wp-v2|ics))/.test(name)).filter(({ text }) =>
    /\btribe_\w|\btec_\w|_(?:Event|Venue|Organizer)[A-Z]|\boccurrence\b|\b(?:venue|organizer)s?\b/i.test(text),
  );
  expect(names(named)).toEqual([]);
});

test.each([
  'base/php/cast',
  'base/php/date',
  'base/php/json',
  'base/php/json-decode',
  'base/php/query-string',
  'base/php/strtotime',
  'wordpress/query/query',
  'wordpress/query/term-query',
  'plugins/the-events-calendar/model/occurrence',
  'wordpress/query/search',
  'wordpress/users/capabilities',
  'plugins/the-events-calendar/model/dates',
  'plugins/the-events-calendar/model/cost',
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
