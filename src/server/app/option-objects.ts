import { readFileSync } from 'node:fs';
import { ConfigError, type ServerOptions } from '../config/index.js';
import type { FaultScenario } from '../../sdk/types/qa.js';
import { checkScenario } from '../../control/tenant/faults/faults.js';
import { SCENARIO_NAME, SCENARIO_SCHEMA } from '../../control/qa/faults/fault-routes.js';
import { didYouMean } from '../../base/text/suggest.js';
import { settingProblem, type Settings } from '../../transfer/settings/settings.js';
import { SETTINGS } from '../../transfer/settings/table.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { checkValue } from '../../wordpress/rest/check.js';
import { type Json, RestError } from '../../wordpress/rest/route.js';
import { isRecord } from '../../base/values/records.js';
import { codeOf, messageOf } from '../../base/values/errors.js';

/** The object that an option has or names. @throws ConfigError for a missing file, and for anything else */
function objectOf(given: string | object, option: string): Record<string, unknown> {
  const value = typeof given === 'string' ? parsed(given, option) : given;
  if (isRecord(value)) return value;
  throw new ConfigError(`${typeof given === 'string' ? given : option}: expected an object with the names as members`);
}

function parsed(file: string, option: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    throw new ConfigError(code === undefined ? `${file}: ${messageOf(error)}` : `--${option}: cannot read ${file} (${code})`);
  }
}

/** @throws ConfigError if it is invalid */
function checked(name: string, value: Json, where: string): FaultScenario {
  if (!SCENARIO_NAME.test(name)) throw new ConfigError(`${where}: invalid name ${JSON.stringify(name)}. Use letters, digits, - and _`);
  const found = checkValue(value, SCENARIO_SCHEMA, name);
  if ('message' in found) throw new ConfigError(`${where}: ${found.message}`);
  // The schema has validated it.
  const scenario = found.value as unknown as FaultScenario;
  try {
    checkScenario(scenario);
  } catch (error) {
    throw error instanceof RestError ? new ConfigError(`${where}: ${name}: ${error.message}`) : error;
  }
  return scenario;
}

/** The scenarios of faults of the options. @throws ConfigError for a missing file, or an invalid scenario */
export function readScenarios({ scenarios = {} }: Pick<ServerOptions, 'scenarios'>): Record<string, FaultScenario> {
  const where = typeof scenarios === 'string' ? scenarios : 'scenarios';
  return Object.fromEntries(
    Object.entries(objectOf(scenarios, 'scenarios')).map(([name, value]) => [name, checked(name, value as Json, where)]),
  );
}

/** Switches a scenario on. @throws ConfigError if it does not exist */
export function startScenario({ faults }: Tenant, name: string): void {
  try {
    faults.start(name);
  } catch (error) {
    throw error instanceof RestError ? new ConfigError(`--scenario: ${error.message}`) : error;
  }
}

/** The settings of the site of the options; null: as on a new site. @throws ConfigError for a missing file, and an invalid setting */
export function readSettings({ settings = {} }: Pick<ServerOptions, 'settings'>): Settings {
  const where = typeof settings === 'string' ? settings : 'settings';
  const all = objectOf(settings, 'settings');
  for (const [name, value] of Object.entries(all)) {
    if (!SETTINGS.has(name))
      throw new ConfigError(`${where}: unknown setting ${JSON.stringify(name)}${didYouMean(name, [...SETTINGS.keys()])}`);
    const problem = value === null || value === undefined ? null : settingProblem(name, value);
    if (problem !== null) throw new ConfigError(`${where}: ${problem}`);
  }
  return all;
}
