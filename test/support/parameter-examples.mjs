export { withExamplesDescribed } from '../../src/control/qa/ui/parameter-examples.js';
