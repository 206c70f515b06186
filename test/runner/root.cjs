// In place of `root.cts`, which jest cannot compile.
module.exports = require('node:path').join(__dirname, '../../src/sdk/testing');
