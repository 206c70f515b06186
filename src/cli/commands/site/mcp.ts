import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../../base/values/errors.js';
import { packageRoot, packageVersion } from '../../../base/system/package-version.js';
import { leaseOwn, type Lease } from '../../../sdk/testing/share.js';
import { ConfigError, STORE_OPTIONS } from '../../../server/config/index.js';
import { CommandError, type Command, helpOf } from '../command.js';
import { contentHelp, PLACE_OPTIONS, readCall } from '../content.js';
import { ServerApi, serverFor } from './server-api.js';
import { TOOLS, type ToolArgs } from './mcp-tools.js';

/** Longer results are cut: a model reads all of them. */
const MAX_TEXT = 100_000;

const INSTRUCTIONS = `Understudy is a stand-in for a WordPress site with The Events Calendar. These tools control the server that runs for this project,
or one that is started with the first call and ends with this session: read its state, fill it, set its clock, make requests fail, and see in
the journal what the program under test sent. \`state\` has its URL, \`explain\` tells why a list is empty or a route is not found, and the
resource understudy://datasets.md how content is written.`;

const SCHEMA = 'dataset.schema.json';

/** Texts that an agent can read: the schema of datasets, and the documentation, whose first page links to the others. */
async function resources() {
  const [schema, docs] = ['fixtures', 'docs'].map((folder) => path.join(packageRoot, folder));
  const pages = (await readdir(docs)).filter((name) => /\.(?:md|txt)$/.test(name)).map((name) => path.join(docs, name));
  const files = [path.join(docs, 'llms.txt'), path.join(schema, SCHEMA), ...pages];
  return Promise.all(
    [...new Set(files)].map(async (file) => {
      const name = path.basename(file);
      const text = await readFile(file, 'utf8');
      const [mimeType, description] = file.endsWith('.json')
        ? ['application/json', 'The JSON Schema of datasets']
        : ['text/markdown', /^# (.+)/m.exec(text)?.[1] ?? name];
      return { file, uri: `understudy://${name}`, name, mimeType, description };
    }),
  );
}

interface Sdk {
  Server: typeof import('@modelcontextprotocol/sdk/server/index.js').Server;
  StdioServerTransport: typeof import('@modelcontextprotocol/sdk/server/stdio.js').StdioServerTransport;
  types: typeof import('@modelcontextprotocol/sdk/types.js');
}

const PACKAGE = '@modelcontextprotocol/sdk';

/** The optional package, of the project or beside this one. @throws CommandError if it is not installed */
function loadSdk(): Sdk {
  const load = createRequire(import.meta.url);
  const paths = [process.cwd(), fileURLToPath(new URL('.', import.meta.url))];
  const part = (name: string): object => load(load.resolve(`${PACKAGE}/${name}`, { paths })) as object;
  try {
    return { ...part('server/index.js'), ...part('server/stdio.js'), types: part('types.js') } as Sdk;
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      `understudy mcp requires ${PACKAGE}, which is not installed with Understudy. Run: npm install --save-dev ${PACKAGE}`,
    );
  }
}

const textResult = (text: string, isError = false): { content: [{ type: 'text'; text: string }]; isError: boolean } => ({
  content: [{ type: 'text', text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text }],
  isError,
});

/** Calls a tool. Errors are results, so that the model reads them. @param connect finds the server, or starts one */
async function callTool(name: string, args: ToolArgs, connect: () => Promise<ServerApi>): Promise<ReturnType<typeof textResult>> {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) return textResult(`Unknown tool ${name}. There are: ${TOOLS.map((each) => each.name).join(', ')}`, true);
  try {
    return textResult(JSON.stringify(await tool.call(args, connect)));
  } catch (error) {
    return textResult(error instanceof Error ? error.message : String(error), true);
  }
}

export const mcp: Command = {
  help: () =>
    helpOf(
      'mcp',
      `Lets a coding agent control the running server of this project: a server of the Model Context Protocol on standard input and output. If none
runs, the first call of a tool starts one, without a data folder, which ends with the agent. Requires the package ${PACKAGE},
which is not installed with Understudy.`,
      `Tools: ${TOOLS.map(({ name }) => name).join(', ')}.`,
      contentHelp(PLACE_OPTIONS),
      'In the configuration of an agent: { "mcpServers": { "understudy": { "command": "npx", "args": ["wp-understudy", "mcp"] } } }',
    ),
  options: [...PLACE_OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const { given, operands, options } = await readCall(args, PLACE_OPTIONS);
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. Usage: understudy mcp [options]`);
    const { Server, StdioServerTransport, types } = loadSdk();
    let started: Promise<Lease> | undefined;
    const connect = async (): Promise<ServerApi> => {
      const server = await serverFor(options, given);
      if (server) return new ServerApi(server.url, server.token);
      started ??= leaseOwn(args, 'mcp');
      const {
        url,
        localUrl = url,
        token,
        commandToken = token,
      } = await started.catch((error: unknown) => {
        started = undefined;
        throw error;
      });
      return new ServerApi(localUrl, commandToken);
    };
    const server = new Server(
      { name: 'understudy', version: packageVersion() },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({
      tools: TOOLS.map(({ name, description, args: properties, required, reads }) => ({
        ...{ name, description },
        inputSchema: { type: 'object' as const, properties, required: [...required], additionalProperties: false },
        annotations: { readOnlyHint: reads, openWorldHint: false },
      })),
    }));
    server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => callTool(params.name, params.arguments ?? {}, connect));
    server.setRequestHandler(types.ListResourcesRequestSchema, async () => ({
      resources: (await resources()).map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
    }));
    server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const known = await resources();
      const resource = known.find((each) => each.uri === uri);
      if (!resource) throw new Error(`Unknown resource ${uri}. There are: ${known.map((each) => each.uri).join(', ')}`);
      const text = await readFile(resource.file, 'utf8');
      // Half as long without indentation.
      const short = resource.name === SCHEMA ? JSON.stringify(JSON.parse(text)) : text;
      return { contents: [{ uri, mimeType: resource.mimeType, text: short }] };
    });
    await server.connect(new StdioServerTransport());
  },
};
