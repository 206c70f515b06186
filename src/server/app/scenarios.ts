import { readFileSync } from 'node:fs';
import { ConfigError, type ServerOptions } from '../config/index.js';
import type { FaultScenario } from '../../sdk/types/qa.js';
import { checkScenario } from '../../control/tenant/faults/faults.js';
import { SCENARIO_NAME, SCENARIO_SCHEMA } from '../../control/qa/faults/fault-routes.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { checkValue } from '../../wordpress/rest/check.js';
import { RestError } from '../../wordpress/rest/error.js';
import type { Json } from '../../wordpress/rest/route.js';
import { codeOf, messageOf } from '../../base/values/errors.js';

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    throw new ConfigError(code === undefined ? `${file}: ${messageOf(error)}` : `--scenarios: cannot read ${file} (${code})`);
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
  const isFile = typeof scenarios === 'string';
  const where = isFile ? scenarios : 'scenarios';
  const all = isFile ? parsed(scenarios) : scenarios;
  if (all === null || typeof all !== 'object' || Array.isArray(all))
    throw new ConfigError(`${where}: expected an object with the names as members`);
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, checked(name, value as Json, where)]));
}

/** Switches a scenario on. @throws ConfigError if it does not exist */
export function startScenario({ faults }: Tenant, name: string): void {
  try {
    faults.start(name);
  } catch (error) {
    throw error instanceof RestError ? new ConfigError(`--scenario: ${error.message}`) : error;
  }
}
