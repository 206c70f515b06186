import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ast from 'typescript/unstable/ast';
import { API, SymbolFlags, TypeFlags, isUnionType, type Project, type Type } from 'typescript/unstable/sync';

/**
 * An object has more members than it shows: `constructor`, `toString`, `__proto__`. Indexing a table by a text from outside finds them.
 * So a constant that is indexed by any text, and not only by names of a type, is made by `lookup` (or is a Map), or the index is guarded
 * by `Object.hasOwn`. This asks the compiler for the types of all indexes in `src`.
 */

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Indexes that can find nothing of what every object has, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/base/text/stub-file.ts: TEXTS[extension]': 'an extension begins with a dot, and helpers load no other module for it',
  'src/base/text/stub-file.ts: extension in TEXTS': 'the same',
  'src/base/text/stub-file.ts: BYTES[extension]': 'the same',
};

const { SyntaxKind: K } = ast;

/** An index of a table: the table, the object that it begins with, and the key. */
interface Index {
  node: ast.Node;
  object: ast.Node;
  key: ast.Node;
}

const THROUGH: ReadonlySet<ast.SyntaxKind> = new Set([
  ...[K.PropertyAccessExpression, K.ElementAccessExpression, K.ParenthesizedExpression],
  ...[K.AsExpression, K.NonNullExpression, K.SatisfiesExpression],
]);

/** What an expression begins with: `TABLE` of `TABLE.a[b]`. */
const startOf = (node: ast.Node): ast.Node => (THROUGH.has(node.kind) ? startOf((node as ast.ParenthesizedExpression).expression) : node);

const LITERALS: ReadonlySet<ast.SyntaxKind> = new Set([K.NumericLiteral, K.StringLiteral, K.NoSubstitutionTemplateLiteral]);

function indexesIn(file: ast.SourceFile): Index[] {
  const found: Index[] = [];
  const visit = (node: ast.Node): void => {
    if (ast.isElementAccessExpression(node)) found.push({ node, object: node.expression, key: node.argumentExpression });
    if (ast.isBinaryExpression(node) && node.operatorToken.kind === K.InKeyword) found.push({ node, object: node.right, key: node.left });
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return found.filter(
    ({ key, object }) => !LITERALS.has(key.kind) && [K.Identifier, K.ObjectLiteralExpression].includes(startOf(object).kind),
  );
}

/** Whether the variable that an expression begins with is a constant of a module that `lookup` did not make; so is a table without a name. */
function isTable(start: ast.Node, project: Project): boolean {
  if (!ast.isIdentifier(start)) return true;
  const named = project.checker.getSymbolAtLocation(start);
  const symbol = named && named.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(named) : named;
  const declaration = symbol?.valueDeclaration?.resolve(project);
  if (!declaration || !ast.isVariableDeclaration(declaration) || !declaration.initializer) return false;
  if (declaration.parent.parent.parent.kind !== K.SourceFile) return false;
  const { initializer } = declaration;
  return !(ast.isCallExpression(initializer) && ast.isIdentifier(initializer.expression) && initializer.expression.text === 'lookup');
}

/** Whether a key is what a regular expression of one class of characters has matched, such as `/[<>&]/g`. */
function isOneCharacter({ key }: Index, textOf: (node: ast.Node) => string): boolean {
  let at: ast.Node = key;
  while (at.parent && !ast.isArrowFunction(at)) at = at.parent;
  const call = at.parent;
  return (
    ast.isArrowFunction(at) &&
    call !== undefined &&
    ast.isCallExpression(call) &&
    /^\/\[(?:\\.|[^\]\\])*\]\/\w*$/.test(textOf(call.arguments[0]))
  );
}

const isText = (type: Type | undefined): boolean =>
  type !== undefined &&
  ((type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) !== 0 || (isUnionType(type) && type.getTypes().some(isText)));

function unguarded(name: string, file: ast.SourceFile, project: Project): string[] {
  const indexes = indexesIn(file);
  if (indexes.length === 0) return [];
  const textOf = (node: ast.Node): string => file.text.slice(node.getStart(file), node.end);
  const types = project.checker.getTypeAtLocation(indexes.map(({ key }) => key));
  const ofAnyText = indexes.filter((_, i) => isText(types[i]));
  return ofAnyText
    .filter(({ object, key }) => !file.text.includes(`Object.hasOwn(${textOf(object)}, ${textOf(key)})`))
    .filter((index) => isTable(startOf(index.object), project) && !isOneCharacter(index, textOf))
    .map(({ node }) => `${name}: ${textOf(node)}`);
}

test('a table that is indexed by any text has no members but its own', () => {
  const api = new API({ cwd: ROOT });
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(ROOT, 'tsconfig.build.json')] }).getProjects();
    const names = project.program.getSourceFileNames().filter((name) => name.includes('/src/') && !name.includes('/node_modules/'));
    expect(names.length).toBeGreaterThan(800);
    const found = names.flatMap((name) => unguarded(path.relative(ROOT, name), project.program.getSourceFile(name)!, project));
    expect([...new Set(found)].sort()).toEqual(Object.keys(ALLOWED).sort());
  } finally {
    api.close();
  }
});
