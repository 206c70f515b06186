import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The bundle has the classes of Node.js instead of the package `whatwg-url` (scripts/bundle.mjs): the driver reads connection strings with them. */
const SCRIPT = `
  const Module = require('node:module');
  const [isNode, ...texts] = JSON.parse(process.argv[1]);
  const load = Module._load;
  Module._load = (name, ...more) => (isNode && name === 'whatwg-url' ? { URL, URLSearchParams } : load.call(Module, name, ...more));
  const { ConnectionString } = require('mongodb-connection-string-url');
  const read = (text) => {
    const { href, hosts, username, password, pathname, isSRV, searchParams } = new ConnectionString(text);
    return { href, hosts, username, password, pathname, isSRV, options: [...searchParams], named: searchParams.get('REPLICASET') };
  };
  const readOrFail = (text) => {
    try {
      return read(text);
    } catch ({ name, message }) {
      return { name, message };
    }
  };
  console.log(JSON.stringify(texts.map(readOrFail)));
`;

const TEXTS = [
  'mongodb://localhost',
  'mongodb://%2Ftmp%2Fa-b%2Fdb.sock/?directConnection=true',
  'mongodb://user:p%40ss@h1:27017,h2:27018,[::1]:27019/db?replicaSet=rs&authSource=admin&readPreferenceTags=a:b&readPreferenceTags=',
  'mongodb+srv://u:p@example.org/x?retryWrites=false',
  'mongodb+srv://a.b.c,d',
  'mongodb://h/?w=majority&W=1',
  'mongodb://h/a%20b?appName=%C3%A9',
  'mongodb://ü:ß@hôst/dä',
  'mongodb://u%3Aser:p%2Fw@h/$external?authMechanism=MONGODB-X509',
  'mongodb://USER:PASS@HOST.Example/DB',
  'mongodb://h/#part',
  'mongodb://u:%zz@h/',
  'mongodb://h:99999/',
  'mongodb://',
  'http://h',
];

async function readAll(isNode: boolean): Promise<object[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', SCRIPT, JSON.stringify([isNode, ...TEXTS])]);
  return JSON.parse(stdout) as object[];
}

test('connection strings mean the same with the classes of Node.js', async () => {
  const [own, packaged] = await Promise.all([readAll(true), readAll(false)]);
  expect(own).toEqual(packaged);
  expect(own[2]).toMatchObject({ hosts: ['h1:27017', 'h2:27018', '[::1]:27019'], password: 'p%40ss', named: 'rs' });
  expect(own.at(-1)).toMatchObject({ name: 'MongoParseError' });
});
