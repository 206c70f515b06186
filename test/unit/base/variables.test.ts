import { misspeltVariables } from '../../../src/base/text/variables.js';
import { environmentWarnings } from '../../../src/server/config/index.js';

test.each([
  ['UNDERSTUDY_PORFILE', 'UNDERSTUDY_PROFILE'],
  ['UNDERSTUDY_ULR', 'UNDERSTUDY_URL'],
  ['UNDERSTUDY_EPHEMRAL', 'UNDERSTUDY_EPHEMERAL'],
  ['UNDERSTUDY_ADMINPASSWORD', 'UNDERSTUDY_ADMIN_PASSWORD'],
  ['UNDERSTUDY_MONGODB_URI', 'MONGODB_URI'],
])('%s is probably %s', (name, meant) => {
  expect(environmentWarnings({ [name]: 'x' })).toEqual([`The environment variable ${name} is unknown. Did you mean ${meant}?`]);
});

test.each([
  'UNDERSTUDY_PROFILE',
  'UNDERSTUDY_TESTS',
  'UNDERSTUDY_OWN_SETTING',
  'UNDERSTUDY_SERVICE_HOST',
  'UNDERSTUDY_SERVICE_PORT',
  'UNDERSTUDY_PORT_8080_TCP',
  'UNDERSTUDY_PORT_8080_TCP_ADDR',
  'PROFIL',
])('%s needs no warning', (name) => expect(environmentWarnings({ [name]: 'x' })).toEqual([]));

test('only names that are read are suggested', () => {
  expect(misspeltVariables({ UNDERSTUDY_PORFILE: 'tec' }, ['UNDERSTUDY_URL'])).toEqual([]);
});
