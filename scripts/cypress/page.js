// The part of Cypress in the page: a queue of commands, queries that are repeated until they find something, and Mocha's functions.
const TIMEOUT_MS = 4000;
const INTERVAL_MS = 25;

let queue = [];
let given = { baseUrl: '', env: {} };
const tests = [];
const hooks = { beforeEach: [], afterEach: [] };
const groups = [];

const frame = document.querySelector('iframe');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const textOf = (elements) => elements.map(({ textContent }) => textContent).join('');
const isDeepest = (element, text) => [...element.children].every((child) => !child.textContent.includes(text));

/** Repeats a check until it passes. */
async function retry(check, message) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`Timed out retrying after ${TIMEOUT_MS} ms: ${message()}`);
    await pause(INTERVAL_MS);
  }
}

const ASSERTIONS = {
  'have.length': (elements, length) => elements.length === length,
  'have.text': (elements, text) => textOf(elements) === text,
  contain: (elements, text) => textOf(elements).includes(text),
};

/** Queries: how the elements are found. */
const QUERIES = {
  get: (_before, selector) => [...frame.contentDocument.querySelectorAll(selector)],
  contains: (_before, text) =>
    [...frame.contentDocument.querySelectorAll('body *')].filter((each) => each.textContent.includes(text) && isDeepest(each, text)),
  first: (before) => before().slice(0, 1),
};

const COMMANDS = {
  visit: (_chain, address) =>
    new Promise((resolve) => {
      frame.addEventListener('load', () => resolve(null), { once: true });
      frame.src = new URL(address, given.baseUrl).href;
    }),
  should: async (chain, assertion, expected) => {
    const found = () => chain.find?.() ?? [];
    await retry(
      () => ASSERTIONS[assertion](found(), expected),
      () => `expected ${assertion} ${JSON.stringify(expected)}, found ${JSON.stringify(found().map(({ outerHTML }) => outerHTML))}`,
    );
    return found();
  },
  // eslint-disable-next-line unicorn/no-thenable -- as in Cypress
  then: (chain, use) => nested(use, [chain.subject]),
  task: async (_chain, name, argument) => {
    const { value, error } = await globalThis.performTask(name, argument);
    if (error !== undefined) throw new Error(error);
    return value;
  },
};

/** Runs a function whose commands precede waiting ones. */
async function nested(work, args) {
  const waiting = queue;
  queue = [];
  try {
    const result = work(...args);
    await drain();
    return result instanceof Chain ? result.subject : result;
  } finally {
    queue = waiting;
  }
}

async function drain() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
}

class Chain {
  subject = null;
  find = null;
}

function addCommand(name, run) {
  const enqueue = (chain, args) => {
    queue.push(async () => {
      chain.subject = await run(chain, ...args);
    });
    return chain;
  };
  Object.defineProperty(Chain.prototype, name, {
    value(...args) {
      return enqueue(this, args);
    },
  });
  cy[name] = (...args) => enqueue(new Chain(), args);
}

const cy = {};
for (const [name, command] of Object.entries(COMMANDS)) addCommand(name, command);
for (const [name, query] of Object.entries(QUERIES)) {
  addCommand(name, async (chain, ...args) => {
    const before = chain.find;
    chain.find = () => query(before, ...args);
    await retry(
      () => chain.find().length > 0,
      () => `${name}(${JSON.stringify(args[0])}) found nothing`,
    );
    return chain.find();
  });
}

const expect = (value) => ({
  to: {
    have: {
      length: (length) => {
        if (value.length !== length) throw new Error(`expected a length of ${length}, was ${value.length}`);
      },
    },
  },
});

Object.assign(globalThis, {
  cy,
  expect,
  Cypress: {
    env: (name) => given.env[name],
    Commands: { add: (name, run) => addCommand(name, (_chain, ...args) => nested(run, args)) },
  },
  beforeEach: (work) => hooks.beforeEach.push(work),
  afterEach: (work) => hooks.afterEach.push(work),
  describe: (name, declare) => {
    groups.push(name);
    declare();
    groups.pop();
  },
  it: (name, work) => tests.push({ name: [...groups, name].join(' > '), work }),
});

/** The message of the first function that fails; null if none does. */
async function firstError(works) {
  for (const work of works) {
    queue = [];
    try {
      work();
      await drain();
    } catch (error) {
      return error.message;
    }
  }
  return null;
}

globalThis.runTests = async (settings) => {
  given = settings;
  const results = [];
  for (const { name, work } of tests) {
    const failed = await firstError([...hooks.beforeEach, work]);
    const after = await firstError(hooks.afterEach);
    results.push({ name, error: failed ?? after });
  }
  return results;
};
