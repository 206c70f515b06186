import type { Document } from 'mongodb';
import { lookup } from '../../../base/values/records.js';
import { evaluate, compareScalars, projector, scalarOf, sorted, Unsupported } from './values.js';
import { matcher } from './match.js';

type Accumulate = (values: unknown[]) => unknown;

const extreme =
  (sign: 1 | -1): Accumulate =>
  (values) => {
    const known = values.filter((value) => value !== null && value !== undefined);
    const [first, ...others] = known;
    return others.reduce((best, value) => (compareScalars(scalarOf(value), scalarOf(best)) * sign > 0 ? value : best), first) ?? null;
  };

const ACCUMULATORS: Readonly<Record<string, Accumulate | undefined>> = lookup({
  $sum: (values) => values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0),
  $push: (values) => values.filter((value) => value !== undefined),
  $max: extreme(1),
  $min: extreme(-1),
});

function group(documents: readonly Document[], { _id: by, ...fields }: Document): Document[] {
  const groups = new Map<string, { id: unknown; members: Document[] }>();
  for (const document of documents) {
    const id = evaluate(by, document) ?? null;
    const key = JSON.stringify(id);
    const known = groups.get(key) ?? { id, members: [] };
    groups.set(key, known);
    known.members.push(document);
  }
  return [...groups.values()].map(({ id, members }) => ({
    _id: id,
    ...Object.fromEntries(
      Object.entries(fields as Record<string, Document>).map(([name, accumulator]) => {
        const [[operator, expression]] = Object.entries(accumulator) as [string, unknown][];
        const accumulate = ACCUMULATORS[operator];
        if (!accumulate) throw new Unsupported(operator);
        return [name, accumulate(members.map((member) => evaluate(expression, member)))];
      }),
    ),
  }));
}

function unwind(documents: readonly Document[], given: unknown): Document[] {
  if (typeof given !== 'string' || given.includes('.')) throw new Unsupported('This $unwind');
  const name = given.slice(1);
  return documents.flatMap((document) => {
    const value: unknown = document[name];
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => ({ ...document, [name]: each }));
  });
}

const isComputed = ([, value]: [string, unknown]): boolean => typeof value === 'object';

/** Fields with the values of expressions. */
function computed(fields: Document): (document: Document) => Document {
  const entries = Object.entries(fields);
  if (entries.some(([name]) => name.includes('.'))) throw new Unsupported('A path to set');
  return (document) => Object.fromEntries(entries.map(([name, value]) => [name, evaluate(value, document)]));
}

function set(documents: readonly Document[], fields: Document): Document[] {
  const values = computed(fields);
  return documents.map((document) => ({ ...document, ...values(document) }));
}

function projectAll(documents: readonly Document[], fields: Document): Document[] {
  const entries = Object.entries(fields);
  if (!entries.some(isComputed)) return documents.map(projector(fields));
  const values = computed(Object.fromEntries(entries.filter(isComputed)));
  const kept = Object.fromEntries(entries.filter((entry) => !isComputed(entry)));
  // Nothing else would keep all.
  if (!Object.values(kept).includes(1)) throw new Unsupported('This projection');
  const projected = projector(kept);
  return documents.map((document) => ({ ...projected(document), ...values(document) }));
}

const STAGES: Readonly<Record<string, ((documents: readonly Document[], given: never) => readonly Document[]) | undefined>> = lookup({
  $match: (documents, filter: Document) => documents.filter(matcher(filter)),
  $sort: (documents, sort: Record<string, 1 | -1>) => sorted(documents, sort),
  $skip: (documents, count: number) => documents.slice(count),
  $limit: (documents, count: number) => documents.slice(0, count),
  $project: projectAll,
  // No document: no result.
  $count: (documents, name: string) => (documents.length === 0 ? [] : [{ [name]: documents.length }]),
  $group: group,
  $set: set,
  $unset: (documents, name: string) => documents.map(projector({ [name]: 0 })),
  $unwind: unwind,
});

/** Runs a pipeline. @throws Unsupported */
export function aggregate(documents: readonly Document[], pipeline: readonly Document[]): readonly Document[] {
  return pipeline.reduce<readonly Document[]>((found, stage) => {
    const [[name, given]] = Object.entries(stage) as [string, unknown][];
    const run = STAGES[name];
    if (!run) throw new Unsupported(name);
    return run(found, given as never);
  }, documents);
}
