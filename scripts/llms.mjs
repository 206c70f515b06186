// Writes docs/llms.txt, the page for coding agents, from README.md and the pages of docs: node scripts/llms.mjs.
// test/endpoints/documentation/llms.test.ts compares.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export const LLMS_FILE = 'docs/llms.txt';

const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** Text of README as it is in docs, without the words after the language of a block, which select its test. */
const fromDocs = (text) => text.replaceAll('](docs/', '](').replaceAll(/^(```\w+) .*$/gm, '$1');

/** Lines as one line: paragraphs are folded. */
const unfolded = (text) => text.trim().replaceAll(/\s*\n\s*/g, ' ');

/** The text below a heading, up to the next one of the same level. */
function section(text, title) {
  const [, found] = new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(text) ?? [];
  if (found === undefined) throw new Error(`There is no section "${title}".`);
  return found.trim();
}

/** A page: what it is for, and the names of its sections. */
function summaryOf(file) {
  const text = read(`docs/${file}`);
  const [, intro = ''] = /^# .*\n+((?:[^\n#`|<-][^\n]*\n)+)/.exec(text) ?? [];
  const sections = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^##+ (.*)$/gm)].map(([, name]) => name);
  return [...(intro === '' ? [] : [unfolded(intro)]), ...(sections.length === 0 ? [] : [`Sections: ${sections.join('; ')}.`])];
}

const ENTRY = /^- .*?\[([^\]]*)\]\(([\w-]+\.md)\)/;

/** The pages of a list of the index, each with its summary. A page is described where it is named first. */
const pagesIn = (list) =>
  list.split(/\n(?=- )/).flatMap((line) => {
    const file = ENTRY.exec(line)?.[2];
    return file === undefined ? [`${unfolded(line)}`] : [`### ${unfolded(line).slice(2)}`, ...summaryOf(file)];
  });

/** The contents of the file. */
export function llmsPage() {
  const [readme, index, agents] = ['README.md', 'docs/README.md', 'docs/agents.md'].map(read);
  const [, about] = /^# Understudy\n+((?:.+\n)+)/.exec(readme) ?? [];
  const groups = ['Test', 'Fill', 'Connect', 'Operate', 'Understand'];
  return `${[
    '# Understudy',
    `> ${unfolded(about)}`,
    'This page is made from the documentation for coding agents. Paths are relative to it: in a project, the pages are in `node_modules/wp-understudy/docs`.',
    '## In short',
    fromDocs(section(agents, 'In short')),
    '## Your first test',
    fromDocs(section(readme, 'Your first test')),
    '## Rules for tests',
    section(agents, 'Rules for tests'),
    '## A server that runs',
    fromDocs(section(agents, 'Without MCP')),
    ...groups.flatMap((title) => [`## ${title}`, ...pagesIn(section(index, title))]),
    '## Words',
    section(index, 'Glossary'),
  ].join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path.join(root, LLMS_FILE), llmsPage());
