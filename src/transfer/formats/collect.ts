import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Comment, MetaRow, Post, Term, User } from '../../wordpress/model.js';
import { type SourceFile, type SourceItem, type DatasetSource, SourceProblems } from '../source.js';
import type { FormatWriteOptions } from './format.js';

/** Collects all items of a source, by kind. @throws DatasetError with all problems of the source */
export async function collect(source: DatasetSource): Promise<SourceContent> {
  const all: SourceContent = { options: {}, users: [], terms: [], posts: [], comments: [], files: [] };
  const problems = new SourceProblems();
  problems.source = source.name;
  for await (const item of source.items((problem, at) => problems.add(problem, at))) addItem(all, item);
  problems.throwIfAny();
  return all;
}

export interface SourceContent {
  options: Record<string, unknown>;
  users: User[];
  terms: Term[];
  posts: Post[];
  comments: Comment[];
  files: SourceFile[];
}

function addItem(all: SourceContent, item: SourceItem): void {
  if (item.kind === 'options') Object.assign(all.options, item.options);
  else if (item.kind === 'user') all.users.push(item.user);
  else if (item.kind === 'term') all.terms.push(item.term);
  else if (item.kind === 'post') all.posts.push(item.post);
  else if (item.kind === 'comment') all.comments.push(item.comment);
  else all.files.push(item.file);
}

/** Writes files to the folder `uploads` next to the output file. */
export async function writeFiles(files: readonly SourceFile[], { file, warn, wrote }: FormatWriteOptions): Promise<void> {
  if (files.length === 0) return;
  if (file === null)
    return warn(`${files.length} files of the media library are omitted: a stream has no folder for them. Write to a file instead.`);
  const folder = path.join(path.dirname(path.resolve(file)), 'uploads');
  for (const { source, target, data, optional } of files) {
    const destination = path.join(folder, target);
    await mkdir(path.dirname(destination), { recursive: true });
    const isWritten = await (data ? writeFile(destination, data) : copyFile(source, destination)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (!optional || error.code !== 'ENOENT') throw error;
        return false;
      },
    );
    if (isWritten) wrote?.('file');
  }
}

export function rowsByKey(meta: readonly MetaRow[]): Record<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const { key, value } of meta) rows.set(key, [...(rows.get(key) ?? []), value]);
  return Object.fromEntries(rows);
}
