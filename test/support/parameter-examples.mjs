export { withExamplesDescribed } from '../../src/qa/ui/parameter-examples.js';
