export { factsOf, namespacesOf, operationsOf, search } from '../../src/control/qa/ui/explorer/operations.js';
export { curlOf, requestOf } from '../../src/control/qa/ui/explorer/request.js';
