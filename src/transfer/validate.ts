import type { Report } from './load/inventory.js';
import { absenceOf, MentionCheck } from './mentions.js';
import { problemOfSource } from './uploads.js';
import { byPosition, DatasetError, SourceProblems } from './source.js';
import type { SourceItem, DatasetSource, LocatedProblem } from './source.js';

/** The keys that the items of a source must not share. Loading reports the same problems. */
function keyOf(item: SourceItem): { key: string; problem: string } | null {
  switch (item.kind) {
    case 'user':
      return { key: `user ${item.user.login.toLowerCase()}`, problem: `there is another user with the login "${item.user.login}"` };
    case 'term': {
      const { taxonomy, slug } = item.term;
      return { key: `term ${taxonomy} ${slug}`, problem: `there is another term of ${taxonomy} with the slug "${slug}"` };
    }
    case 'post':
      return { key: `post ${item.post._id}`, problem: `there is another post with the id ${item.post._id}` };
    case 'comment':
      return { key: `comment ${item.comment._id}`, problem: `there is another comment with the id ${item.comment._id}` };
    case 'options':
    case 'file':
      return null;
  }
}

/** Checks each item against those before it, and that its file exists. */
function itemChecks(report: Report): (item: SourceItem) => Promise<void> {
  const seen = new Set<string>();
  return async (item) => {
    const at = 'at' in item ? item.at : undefined;
    const unique = keyOf(item);
    if (unique && seen.has(unique.key)) report(unique.problem, at);
    else if (unique) seen.add(unique.key);
    if (item.kind !== 'file') return;
    const problem = await problemOfSource(item.file);
    if (problem) report(problem.message, at);
  };
}

/** A file to validate. */
interface Candidate {
  name: string;
  open: () => Promise<DatasetSource>;
}

/** Reads a file. @returns its problems */
async function problemsIn({ name, open }: Candidate, mentions: MentionCheck): Promise<LocatedProblem[]> {
  const problems = new SourceProblems();
  try {
    const source = await open();
    problems.source = source.name;
    const report: Report = (problem, at) => problems.add(problem, at);
    const check = itemChecks(report);
    for await (const item of source.items(report)) {
      await check(item);
      mentions.add(item, name);
    }
    problems.throwIfAny();
    return [];
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    return error.located.map((each) => ({ file: error.file, ...each }));
  }
}

/**
 * Finds the problems that would keep files from being loaded. Needs no site, and changes nothing.
 * @param create whether venues, organizers and terms may be mentioned that no file contains
 * @returns the problems, in the order of the files; at most 1,000 for each, and the number of the others
 */
export async function problemsOf(files: readonly Candidate[], { create = true }: { create?: boolean } = {}): Promise<LocatedProblem[]> {
  const mentions = new MentionCheck();
  const found = new Map<Candidate, LocatedProblem[]>();
  for (const file of files) found.set(file, await problemsIn(file, mentions));
  if (!create)
    for (const [{ name }, problems] of found) {
      const absent = mentions.absentIn(name).map((item) => ({ file: name, ...item.at, message: item.absent ?? absenceOf(item) }));
      problems.push(...absent);
      problems.sort(byPosition);
    }
  return [...found.values()].flat();
}
